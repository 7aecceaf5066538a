import type { Clock } from '../core/time/clock.ts'

/** The time of a clock, ahead of it by what the machine has slept. */
export interface AwakeTime {
  now: () => number
  /** The clock's instant for `at` of this time. */
  toClock: (at: number) => number
  /** It is `at` now: a timer that was set to it has fired, though the clock stands still. */
  reach: (at: number) => void
}

/** Awake, the two clocks differ by less: one is whole milliseconds, and is set right now and then. */
const DRIFT_MS = 1000

/**
 * A monotonic clock stands still while the machine sleeps; the wall clock goes on, but may be set back. Here an instant has
 * come when either says so. Reads no clock before the first call.
 */
export function createAwakeTime(clock: Clock): AwakeTime {
  let aheadMs = 0
  let leadMs: number | undefined

  return {
    now() {
      const now = clock.now()
      const newLeadMs = clock.wall() - now
      const sleptMs = newLeadMs - (leadMs ??= newLeadMs)
      if (sleptMs >= DRIFT_MS && sleptMs < Infinity) aheadMs += sleptMs
      // Set back, or slept: from here on the two are compared anew.
      if (Math.abs(sleptMs) >= DRIFT_MS) leadMs = newLeadMs
      return now + aheadMs
    },
    toClock: (at) => at - aheadMs,
    reach(at) {
      aheadMs += Math.max(at - aheadMs - clock.now(), 0)
    },
  }
}
