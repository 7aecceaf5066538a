import { useMemo, useSyncExternalStore } from 'react'
import { check } from '../../core/shared/check.ts'
import { createAlarm } from '../../core/time/alarm.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createAwakeTime } from '../../core/time/forward-time.ts'
import { onWake } from '../../core/time/on-wake.ts'
import { useClock } from '../clock-provider.tsx'
import type { Observable } from '../../core/shared/store.ts'

/**
 * Counts the seconds until the instant `until`, rounded up. It has a timer only while it has a listener. When the page wakes, it
 * reads the time again, because time asleep counts too. It reads no clock before `snapshot` or `subscribe` is called, because
 * frameworks that prerender reject a component that reads one.
 */
function createCountdown(clock: Clock, until: number): Observable<number> {
  const time = createAwakeTime(clock)
  const left = (): number => Math.max(0, Math.ceil((until - time.now()) / 1000))
  let last: number | undefined
  const seconds = (): number => (last ??= left())

  return {
    snapshot: seconds,
    subscribe(listener) {
      const alarm = createAlarm(clock, () => {
        const next = seconds() - 1
        // The clock may stand still, where a test fakes timers only.
        time.reach(until - next * 1000)
        // At the exact boundary, rounding may still give the old number.
        change(Math.min(left(), next))
      })
      function change(next: number): void {
        last = next
        if (next > 0) alarm.set(time.toClock(until - (next - 1) * 1000))
        else alarm.clear()
        listener()
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

/**
 * Returns the seconds until the instant `until` of the hooks' clock, rounded up. Returns 0 from that instant on, without `until`,
 * on the server and while hydrating. The component renders when the number changes, at most once a second.
 *
 * @throws RangeError for an `until` that is NaN.
 */
export function useCountdown(until: number | undefined = -Infinity): number {
  check(until >= -Infinity, 'until >= -Infinity', until)
  const clock = useClock()
  const { snapshot, subscribe } = useMemo(() => createCountdown(clock, until), [clock, until])
  return useSyncExternalStore(subscribe, snapshot, () => 0)
}
