import { createAlarm } from '../core/time/alarm.ts'
import type { Clock } from '../core/time/clock.ts'
import { createAwakeTime } from '../core/time/forward-time.ts'
import { onWake } from './on-wake.ts'

/** A number of seconds that goes down to 0. */
export interface Countdown {
  /** As of the last change that was told: it does not depend on when it is asked. */
  seconds: () => number
  /** Calls `listener` when the number changes, once a second at most; the function returned stops that. */
  subscribe: (listener: () => void) => () => void
}

/**
 * Counts the seconds until the instant `until`, rounded up. It has a timer only while somebody listens, and looks again
 * when the page wakes: what the machine slept through has passed too. It reads no clock before it is first asked, for
 * frameworks that render ahead of time refuse a component that does.
 */
export function createCountdown(clock: Clock, until: number): Countdown {
  const time = createAwakeTime(clock)
  const left = (): number => Math.max(0, Math.ceil((until - time.now()) / 1000))
  let last: number | undefined
  const seconds = (): number => (last ??= left())

  return {
    seconds,
    subscribe(listener) {
      const alarm = createAlarm(clock, () => {
        // At the boundary itself rounding may say that it has not come.
        change(Math.min(left(), seconds() - 1))
      })
      function change(next: number): void {
        const isNew = next !== seconds()
        last = next
        if (next > 0) alarm.set(time.toClock(until - (next - 1) * 1000))
        else alarm.clear()
        if (isNew) listener()
      }
      const stop = onWake(() => change(left()))
      change(left())
      return () => {
        stop()
        alarm.clear()
      }
    },
  }
}
