// The types name these symbols, and a lib older than TypeScript 5.2 lacks them. Every entry imports this file.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol
    readonly asyncDispose: unique symbol
  }
}

/**
 * A source of time that calls back later. Every part of the library takes one, so that tests can step it.
 * `createManualClock` of `lull/testing` is the one for tests.
 */
export interface Clock {
  /** The monotonic instant in milliseconds, from any origin. */
  now: () => number
  /** Milliseconds since 1970 by the wall clock, which may be set back. Serves HTTP dates only. */
  wall: () => number
  /**
   * Calls `callback` once, `delayMs` from now (below 0 is 0; 2^31 − 1 is the most that platforms take).
   * The function returned prevents it.
   */
  after: (delayMs: number, callback: () => void) => () => void
  /** Calls `callback` in the next frame; the function returned prevents it. Absent: there are no frames. */
  frame?: ((callback: () => void) => () => void) | undefined
}

/** The longest delay that a platform timer takes: it reads a longer one as 1 ms. */
export const LONGEST_MS: number = 2 ** 31 - 1

type Frames = Partial<Pick<typeof globalThis, 'requestAnimationFrame' | 'cancelAnimationFrame'>>

/** What most parts need of a clock. */
export type Timers = Pick<Clock, 'now' | 'after'>

/** What most parts use of `systemClock`: they leave the rest out of their bundle. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  // Platforms cut the fraction off, which would wake a millisecond early and cost a second timer. `bind` takes half the memory of a
  // closure, and there may be very many timers.
  after: (delayMs, callback) => clearTimeout.bind(null, setTimeout(callback, Math.ceil(delayMs))),
}

/** `systemClock` for what has no frames. */
export const systemTime: Clock = /* @__PURE__ */ Object.assign({ wall: () => Date.now() }, systemTimers)

/**
 * The platform's own time: `performance.now`, `Date.now`, `setTimeout` and `requestAnimationFrame`.
 * Each is looked up when called, so that fake timers installed later are the ones used; what clears a timer is of those that
 * have set it.
 */
export const systemClock: Clock = /* @__PURE__ */ Object.assign(
  {
    frame(callback: () => void) {
      // Node has no frames; callers also set a timer.
      const request = (globalThis as Frames).requestAnimationFrame?.(callback)
      return () => (globalThis as Frames).cancelAnimationFrame?.(request!)
    },
  },
  systemTime,
)

/** A clock whose `now()` is the wall's, for limits whose windows start on the minute. Jumps as the wall does. */
export const wallClock: Clock = {
  now: () => Date.now(),
  wall: () => Date.now(),
  after: (delayMs, callback) => systemTimers.after(delayMs, callback),
}
