import type { Clock } from './clock.ts'

/** The time of a clock, except that it never goes back. */
export interface ForwardTime {
  now: () => number
  /** Converts an instant of this time to one of the clock, valid until the clock is set back again. */
  toClock: (at: number) => number
}

/** Forward time that includes the time that its clock missed. */
export interface AwakeTime extends ForwardTime {
  /** Moves the time forward to `at`: for a timer that fired while the clock stands still. */
  reach: (at: number) => void
}

/** When `clock` is set back, its forward time continues from the last reading. */
export function createForwardTime(clock: Pick<Clock, 'now'>): ForwardTime {
  let last = -Infinity
  // 0 if the clock is never set back: its readings stay exact.
  let aheadMs = 0

  function now(): number {
    const reading = clock.now()
    if (reading < last) aheadMs += last - reading
    last = reading
    return reading + aheadMs
  }

  return { now, toClock: (at) => at - aheadMs }
}

/** While the machine is awake, the two clocks differ by less: the wall clock has whole milliseconds and is adjusted. */
const DRIFT_MS = 1000

/**
 * Forward time that includes sleep of the machine. A monotonic clock may stop during sleep; the wall clock continues, but may be
 * set back. An instant has come here when either clock has passed it. Reads no clock before the first call.
 */
export function createAwakeTime(clock: Pick<Clock, 'now' | 'wall'>): AwakeTime {
  let last = -Infinity
  // How much the clock has missed or was set back, in ms.
  let aheadMs = 0
  // How far the wall clock is ahead of this time.
  let leadMs: number | undefined

  function now(): number {
    const reading = clock.now()
    if (reading < last) aheadMs += last - reading
    last = reading
    const lead = clock.wall() - reading - aheadMs
    const sleptMs = lead - (leadMs ??= lead)
    if (sleptMs >= DRIFT_MS && sleptMs < Infinity) aheadMs += sleptMs
    // The wall clock was set back: compare from here on.
    if (sleptMs <= -DRIFT_MS) leadMs = lead
    return reading + aheadMs
  }

  return {
    now,
    toClock: (at) => at - aheadMs,
    reach(at) {
      // Before the sum, because `now` may change `aheadMs`.
      const leftMs = at - now()
      if (leftMs > 0) aheadMs += leftMs
    },
  }
}
