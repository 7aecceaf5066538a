import type { Clock } from 'lull/core'

interface Timer {
  /** When it is due, and when it fires, in `elapsedMs`. */
  dueAt: number
  firesAt: number
  setBackMs: number
  callback: () => void
}

const MOST_EARLY_MS = 1.875
const MOST_LATE_MS = 30

/** Rounds down to eighths of a ms, whose sums are exact. */
const eighths = (number: number): number => Math.floor(number * 8) / 8

/**
 * A test clock whose timers fire early or late, and which can be set, blocked and hidden. `random` decides
 * whether a timer is on time, early or late, in eighths of a ms. A timer with delay d is at most d / 2 early:
 * setting it again for the rest converges.
 *
 * @param random from 0 to below 1. At 0.5 every timer is on time.
 */
export function createChaosClock(random: () => number, startMs = 1000) {
  let elapsedMs = 0
  let forwardMs = 0
  let setBackMs = 0
  let wallMs = 1_700_000_000_000
  let gridMs = 0
  let settings = 0
  // Sorted by firing time.
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

  const nextUntil = (end: number): Timer | undefined => timers.find((timer) => instantOf(timer) <= end)

  const clock: Clock = {
    now: () => startMs + elapsedMs + forwardMs - setBackMs,
    wall: () => wallMs + elapsedMs,
    after(delayMs, callback) {
      const ms = Math.max(delayMs, 0)
      const dueAt = elapsedMs + ms - earliness(ms)
      const firesAt = dueAt + (random() < 0.3 ? eighths(random() * MOST_LATE_MS) : 0)
      return add({ dueAt, firesAt, setBackMs, callback })
    },
  }
  return {
    ...clock,
    /** Real time passed, in ms. */
    get elapsedMs() {
      return elapsedMs
    },
    /** `elapsedMs` plus all forward jumps: the most time that code reading the clock can measure. */
    get progressMs() {
      return elapsedMs + forwardMs
    },
    /** Sum of all backward jumps, in ms. */
    get setBackMs() {
      return setBackMs
    },
    /** How often the clock or its wall clock was set. */
    get settings() {
      return settings
    },
    /** Whether no timer is overdue. */
    get isQuiet() {
      return !timers.some(({ dueAt }) => dueAt <= elapsedMs)
    },
    /** The number of timers that are set. */
    get pending() {
      return timers.length
    },
    /** Whether a timer was set before the last backward jump. */
    get hasOldTimers() {
      return timers.some((timer) => timer.setBackMs !== setBackMs)
    },
    /** Shifts the reading by `byMs`; timers are not affected. */
    jump(byMs: number) {
      settings++
      if (byMs > 0) forwardMs += byMs
      else setBackMs -= byMs
    },
    jumpWall(byMs: number) {
      settings++
      wallMs += byMs
    },
    /** Fires timers only at multiples of `newGridMs`, as in a hidden page. 0: in a visible one. */
    hide: (newGridMs: number) => void (gridMs = newGridMs),
    /** Advances time without firing timers, as with a busy thread or a frozen page. */
    block: (ms: number) => void (elapsedMs += ms),
    /** Advances from due time to due time; yields after each callback. Keeps thrown errors for `takeErrors`. */
    *pass(ms: number): Generator<void, void> {
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
    /** Returns the errors that callbacks have thrown since the last `takeErrors`. */
    takeErrors() {
      const taken = errors
      errors = []
      return taken
    },
  }
}

export type ChaosClock = ReturnType<typeof createChaosClock>
