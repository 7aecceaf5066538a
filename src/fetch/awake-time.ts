import type { Clock } from '../core/clock.ts'

/** The time of a clock, and what it slept through. */
export interface AwakeTime {
  now: () => number
  /** The clock's instant for `at` of this time. */
  toClock: (at: number) => number
  /** It is `at` now: what was to happen then has happened. */
  reach: (at: number) => void
}

/** Less than this the two clocks differ while awake: one is whole milliseconds, and is set right now and then. */
const DRIFT_MS = 1000

/**
 * A monotonic clock stands still while the machine sleeps; the wall's goes on, but may be set back. Of this time both
 * are true: an instant has come when either clock says so. R46
 */
export function createAwakeTime(clock: Clock): AwakeTime {
  let aheadMs = 0
  let leadMs = clock.wall() - clock.now()

  return {
    now() {
      const now = clock.now()
      const sleptMs = clock.wall() - now - leadMs
      if (sleptMs >= DRIFT_MS) aheadMs += sleptMs
      // Set back, or slept: from here on it is compared with what it says now.
      if (Math.abs(sleptMs) >= DRIFT_MS) leadMs += sleptMs
      return now + aheadMs
    },
    toClock: (at) => at - aheadMs,
    reach(at) {
      aheadMs += Math.max(at - aheadMs - clock.now(), 0)
    },
  }
}
