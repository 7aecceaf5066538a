import type { Clock } from './clock.ts'

/** The time of a clock, but it never goes back. */
export interface ForwardTime {
  now: () => number
  /** The clock's instant for `at` of this time, as long as the clock is not set back again. */
  toClock: (at: number) => number
}

/** Forward time that also counts the time that its clock missed. */
export interface AwakeTime extends ForwardTime {
  /** Moves the time on to `at`: a timer for it has fired, though the clock stands still. */
  reach: (at: number) => void
}

/** When `clock` is set back, its forward time stands still at that reading and goes on from there. */
export function createForwardTime(clock: Pick<Clock, 'now'>): ForwardTime {
  let last = -Infinity
  // Added whole, not summed up from differences: a clock that is never set back is read exactly.
  let aheadMs = 0

  function now(): number {
    const reading = clock.now()
    if (reading < last) aheadMs += last - reading
    last = reading
    return reading + aheadMs
  }

  return { now, toClock: (at) => at - aheadMs }
}

/** Awake, the two clocks differ by less: one is whole milliseconds, and is set right now and then. */
const DRIFT_MS = 1000

/**
 * Forward time that counts a sleep of the machine too. A monotonic clock stands still meanwhile; the wall clock goes on, but
 * may be set back. Here an instant has come when either says so. Reads no clock before the first call.
 */
export function createAwakeTime(clock: Pick<Clock, 'now' | 'wall'>): AwakeTime {
  let last = -Infinity
  // The ms that the clock has missed or was set back by.
  let aheadMs = 0
  // How far the wall is ahead of this time.
  let leadMs: number | undefined

  function now(): number {
    const reading = clock.now()
    if (reading < last) aheadMs += last - reading
    last = reading
    const lead = clock.wall() - reading - aheadMs
    const sleptMs = lead - (leadMs ??= lead)
    if (sleptMs >= DRIFT_MS && sleptMs < Infinity) aheadMs += sleptMs
    // The wall was set back: from here on the two are compared anew.
    if (sleptMs <= -DRIFT_MS) leadMs = lead
    return reading + aheadMs
  }

  return {
    now,
    toClock: (at) => at - aheadMs,
    reach(at) {
      aheadMs += Math.max(at - now(), 0)
    },
  }
}
