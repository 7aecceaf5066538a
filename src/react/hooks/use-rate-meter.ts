import { useMemo, useSyncExternalStore } from 'react'
import { createAlarm } from '../../core/time/alarm.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { RateMeter } from '../../core/adaptive/rate-meter.ts'
import { check } from '../../core/shared/check.ts'
import { adviseOnOptions } from '../../core/shared/develop.ts'
import { useClock } from '../clock-provider.tsx'
import type { Observable } from '../../core/shared/store.ts'

export interface RateMeterViewOptions {
  /** The time between two readings, in ms, above 0. @default 1000 */
  intervalMs?: number | undefined
}

/** A rate below this, in events per second, is shown as 0, because a decaying rate never reaches 0. */
const MIN_RATE = 0.001

function createReading(
  { rate, subscribe }: Pick<RateMeter, 'rate' | 'subscribe'>,
  clock: Clock,
  intervalMs: number,
): Observable<number> {
  const read = (): number => {
    const now = rate()
    return now < MIN_RATE ? 0 : now
  }
  let shown = read()
  return {
    snapshot: () => shown,
    subscribe(listener) {
      const alarm = createAlarm(clock, update)
      function update(): void {
        shown = read()
        if (shown > 0) alarm.set(clock.now() + intervalMs)
        listener()
      }
      const unsubscribe = subscribe(() => {
        if (shown === 0) update()
      })
      update()
      return () => {
        unsubscribe()
        alarm.clear()
      }
    },
  }
}

/**
 * Returns the rate that `meter` measures, in events per second. It is read at the first event after a pause, then every
 * `intervalMs` until it has decayed to 0. Returns 0 on the server and while hydrating.
 *
 * @param options see `RateMeterViewOptions`.
 * @throws RangeError for an `intervalMs` that is not above 0.
 */
export function useRateMeter(
  meter: Pick<RateMeter, 'rate' | 'subscribe'>,
  options: RateMeterViewOptions = {},
): number {
  adviseOnOptions('useRateMeter', options)
  const { intervalMs = 1000 } = options
  check(intervalMs > 0, 'intervalMs > 0', intervalMs)
  const clock = useClock()
  const { snapshot, subscribe } = useMemo(
    () => createReading(meter, clock, intervalMs),
    [meter, clock, intervalMs],
  )
  return useSyncExternalStore(subscribe, snapshot, () => 0)
}
