// The types use these symbols, and a lib older than TypeScript 5.2 lacks them. Every entry imports this file.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol
    readonly asyncDispose: unique symbol
  }
}

/** A source of time and timers, which every part of the library accepts. `createManualClock` of `lull/testing` makes one for tests. */
export interface Clock {
  /** Returns the monotonic instant in ms, since any origin. */
  now: () => number
  /** Returns the ms since 1970 by the wall clock, which may be set back. Used for HTTP dates and to notice sleep. */
  wall: () => number
  /** Calls `callback` once after `delayMs`: below 0 is 0, most platforms take up to 2^31 − 1. Returns a function that cancels it. */
  after: (delayMs: number, callback: () => void) => () => void
  /** Calls `callback` in the next frame. Returns a function that cancels the call. Absent if there are no frames. */
  frame?: ((callback: () => void) => () => void) | undefined
}

/** The longest delay of a timer, in ms; longer waits are split. Above 2^31 − 1 a platform timer would fire after 1 ms. */
export const LONGEST_MS: number = 2e9

type Frames = Partial<Pick<typeof globalThis, 'requestAnimationFrame' | 'cancelAnimationFrame'>>

/** The part of a clock that most functions need. */
export type Timers = Pick<Clock, 'now' | 'after'>

/** The part of `systemClock` that most functions need, without the rest in their bundle. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  // Platforms cut off the fraction: the timer would fire up to a millisecond early and cost a second one. `bind` takes half the
  // memory of a closure, and there may be very many timers.
  after: (delayMs, callback) => clearTimeout.bind(null, setTimeout(callback, Math.ceil(delayMs))),
}

/** `systemClock` without frames. */
export const systemTime: Clock = /* @__PURE__ */ Object.assign({ wall: () => Date.now() }, systemTimers)

/**
 * The platform's own time: `performance.now`, `Date.now`, `setTimeout` and `requestAnimationFrame`. Each is looked up at each call,
 * so that fake timers installed later are used. The function that clears a timer is looked up when the timer is set.
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

/** A clock with the wall clock as `now()`, for limits whose windows start on the minute. Jumps when the wall clock does. */
export const wallClock: Clock = /* @__PURE__ */ Object.assign({}, systemTime, { now: () => Date.now() })
