import type { Clock } from './clock.ts'

/** The time of a clock, but it never goes back. */
export interface ForwardTime {
  now: () => number
  /** The clock's instant for `at` of this time, as long as the clock is not set back again. */
  toClock: (at: number) => number
}

/** When `clock` is set back, its forward time stands still at that reading and goes on from there. */
export function createForwardTime(clock: Pick<Clock, 'now'>): ForwardTime {
  let last = -Infinity
  // Added whole, not summed up from differences: a clock that is never set back is told exactly.
  let setBackMs = 0
  return {
    now() {
      const now = clock.now()
      if (now < last) setBackMs += last - now
      last = now
      return now + setBackMs
    },
    toClock: (at) => at - setBackMs,
  }
}
