import type { Clock } from '../core/time/clock.ts'

/** A clock that moves only when `advance` is called. */
export interface ManualClock extends Clock {
  frame: (callback: () => void) => () => void
  /**
   * Moves `now` and `wall` on by `ms`, and stops at each due time on the way to call what is due, in order. An error of a callback
   * does not stop the others; the first one is thrown at the end.
   */
  advance: (ms: number) => void
  /** As `advance`, and lets promise continuations run before it starts and after each callback. */
  advanceAsync: (ms: number) => Promise<void>
  /** Sets the wall clock alone, as a user or a time server does. */
  setWall: (ms: number) => void
  /** How many callbacks are waiting: 0 when no timer is left. */
  readonly pending: number
}

interface Timer {
  at: number
  callback: () => void
}

/** Screens show a frame about every 16 ms. */
const FRAME_MS = 16

/** More callbacks than this at one instant are an endless loop. */
const ENDLESS = 1_000_000

/**
 * Returns a clock for tests. Time passes only in `advance`, which steps from due time to due time, so that a chain of
 * timers runs at the same instants as in real time.
 *
 * @param startMs the first reading of `now()`. @default 0
 */
export function createManualClock(startMs = 0): ManualClock {
  let now = startMs
  let wall = startMs
  // In the order of their due times; those due together in the order they came.
  const timers: Timer[] = []

  function after(delayMs: number, callback: () => void): () => void {
    const timer = { at: now + (delayMs > 0 ? delayMs : 0), callback }
    const place = timers.findLastIndex((other) => other.at <= timer.at) + 1
    timers.splice(place, 0, timer)
    return () => {
      const index = timers.indexOf(timer)
      if (index >= 0) timers.splice(index, 1)
    }
  }

  // Not back: a callback may have advanced the clock itself.
  function moveTo(at: number): void {
    if (at <= now) return
    wall += at - now
    now = at
  }

  /** Calls back, one at a time, all that is due until `ms` have passed, and yields after each. */
  function* stepThrough(ms: number): Generator<void, void> {
    if (!(ms >= 0)) throw new RangeError(`Expected ms to be a number from 0, got ${ms}`)
    const end = now + ms
    const errors: unknown[] = []
    let callbacksNow = 0
    for (let next = timers[0]; next && next.at <= end; next = timers[0]) {
      callbacksNow = next.at > now ? 0 : callbacksNow + 1
      if (callbacksNow > ENDLESS)
        throw new Error(`Called back ${ENDLESS} times at ${now} ms: an endless loop of timers?`)
      timers.shift()
      moveTo(next.at)
      try {
        next.callback()
      } catch (error) {
        errors.push(error)
      }
      yield
    }
    moveTo(end)
    if (errors.length > 0) throw errors[0]
  }

  return {
    now: () => now,
    wall: () => wall,
    after,
    frame: (callback) => after((Math.floor(now / FRAME_MS) + 1) * FRAME_MS - now, callback),
    advance(ms) {
      const steps = stepThrough(ms)
      while (!steps.next().done);
    },
    async advanceAsync(ms) {
      await continuations()
      const steps = stepThrough(ms)
      while (!steps.next().done) await continuations()
    },
    setWall(ms) {
      wall = ms
    },
    get pending() {
      return timers.length
    },
  }
}

/** Resolves when the promise continuations that are ready, and those that they make ready, have run. */
function continuations(): Promise<void> {
  const channels = globalThis as Partial<Pick<typeof globalThis, 'MessageChannel'>>
  return new Promise((resolve) => {
    // A message is the one task that no fake timers hold back. In Jest's jsdom only a window can send one, to itself.
    if (!channels.MessageChannel) {
      addEventListener('message', () => resolve(), { once: true })
      return postMessage(undefined, '*')
    }
    const { port1, port2 } = new channels.MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
