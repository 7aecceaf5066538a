import type { Clock } from 'lull/core'

/** A clock on a bad day. */
export interface ChaosClock extends Required<Clock> {
  /** The ms that have really passed. */
  readonly elapsedMs: number
  /** Those, and all by which it was set forward: what anybody who reads the clock can think has passed. */
  readonly progressMs: number
  /** All by which it was set back. */
  readonly setBackMs: number
  /** How often it was set, or its wall clock was. */
  readonly settings: number
  /** Whether nobody is waiting for a call back that should have come. */
  readonly isQuiet: boolean
  /** How many callbacks are waiting. */
  readonly pending: number
  /** Whether one of them has waited since before the clock was set back. */
  readonly hasOldTimers: boolean
  /** Sets what it reads, by so many ms; timers take no notice. */
  jump: (byMs: number) => void
  jumpWall: (byMs: number) => void
  /** Calls back at multiples of `gridMs` alone, and shows no frames, as in a hidden page. 0: as one that is visible. */
  hide: (gridMs: number) => void
  /** Time passes and nobody is called back, as by a busy thread or a frozen page. */
  block: (ms: number) => void
  /** Time passes from due time to due time; yields after each callback. What one throws is kept for `takeErrors`. */
  pass: (ms: number) => Generator<void, void>
  /** What came out of callbacks since the last time. */
  takeErrors: () => unknown[]
}

interface Timer {
  /** When it should be called, and when it is: by `elapsedMs`. */
  dueAt: number
  firesAt: number
  isFrame: boolean
  setBackMs: number
  callback: () => void
}

/** Timers are less than 2 ms early. */
const MOST_EARLY_MS = 1.875
const MOST_LATE_MS = 30
const FRAME_MS = 16

/** Where nothing but eighths of a ms are added, sums are exact. */
const eighths = (number: number): number => Math.floor(number * 8) / 8

/**
 * Each timer is on time, early or late, as `random` has it: by eighths of a ms. One of a delay d is early by no more than d / 2, so
 * that who sets it again for the rest is soon there.
 *
 * @param random from 0 to below 1.
 */
export function createChaosClock(random: () => number, startMs = 1000): ChaosClock {
  let elapsedMs = 0
  let forwardMs = 0
  let setBackMs = 0
  let wallMs = 1_700_000_000_000
  let gridMs = 0
  let settings = 0
  // In the order in which they fire.
  const timers: Timer[] = []
  let errors: unknown[] = []

  function add(timer: Timer): () => void {
    timers.splice(timers.findLastIndex((other) => other.firesAt <= timer.firesAt) + 1, 0, timer)
    return () => {
      const index = timers.indexOf(timer)
      if (index >= 0) timers.splice(index, 1)
    }
  }

  function earliness(delayMs: number): number {
    const earlyMs = eighths(random() * (MOST_EARLY_MS + 0.125))
    return random() < 0.3 && earlyMs <= delayMs / 2 ? earlyMs : 0
  }

  const instantOf = ({ firesAt }: Timer): number =>
    Math.max(gridMs > 0 ? Math.ceil(firesAt / gridMs) * gridMs : firesAt, elapsedMs)

  const nextUntil = (end: number): Timer | undefined =>
    timers.find((timer) => !(timer.isFrame && gridMs > 0) && instantOf(timer) <= end)

  return {
    now: () => startMs + elapsedMs + forwardMs - setBackMs,
    wall: () => wallMs + elapsedMs,
    after(delayMs, callback) {
      const ms = Math.max(delayMs, 0)
      const dueAt = elapsedMs + ms - earliness(ms)
      const firesAt = dueAt + (random() < 0.3 ? eighths(random() * MOST_LATE_MS) : 0)
      return add({ dueAt, firesAt, isFrame: false, setBackMs, callback })
    },
    frame(callback) {
      const at = (Math.floor(elapsedMs / FRAME_MS) + 1) * FRAME_MS
      return add({ dueAt: at, firesAt: at, isFrame: true, setBackMs, callback })
    },
    get elapsedMs() {
      return elapsedMs
    },
    get progressMs() {
      return elapsedMs + forwardMs
    },
    get setBackMs() {
      return setBackMs
    },
    get settings() {
      return settings
    },
    get isQuiet() {
      return !timers.some(({ dueAt, isFrame }) => !isFrame && dueAt <= elapsedMs)
    },
    get pending() {
      return timers.length
    },
    get hasOldTimers() {
      return timers.some((timer) => timer.setBackMs !== setBackMs)
    },
    jump(byMs) {
      settings++
      if (byMs > 0) forwardMs += byMs
      else setBackMs -= byMs
    },
    jumpWall(byMs) {
      settings++
      wallMs += byMs
    },
    hide(newGridMs) {
      gridMs = newGridMs
    },
    block(ms) {
      elapsedMs += ms
    },
    *pass(ms) {
      const end = elapsedMs + ms
      let callbacksNow = 0
      for (let next = nextUntil(end); next; next = nextUntil(end)) {
        callbacksNow = instantOf(next) > elapsedMs ? 0 : callbacksNow + 1
        if (callbacksNow > 10_000) throw new Error('An endless loop of timers')
        elapsedMs = instantOf(next)
        timers.splice(timers.indexOf(next), 1)
        try {
          next.callback()
        } catch (error) {
          errors.push(error)
        }
        yield
      }
      elapsedMs = Math.max(elapsedMs, end)
    },
    takeErrors() {
      const taken = errors
      errors = []
      return taken
    },
  }
}
