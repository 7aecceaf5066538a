import { useMemo, useSyncExternalStore } from 'react'
import { checkFrom } from '../../core/shared/check.ts'
import { createAlarm } from '../../core/time/alarm.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createAwakeTime } from '../../core/time/forward-time.ts'
import { useClock } from '../clock-provider.tsx'

/** A number of seconds that goes down to 0. */
interface Countdown {
  /** Up to date as of the last change; reading it does not update it. */
  seconds: () => number
  /** Calls `listener` when the number changes, once a second at most; the function returned stops that. */
  subscribe: (listener: () => void) => () => void
}

const page = globalThis as Partial<
  Pick<typeof globalThis, 'document' | 'addEventListener' | 'removeEventListener'>
>

/** Calls `callback` when the page may have slept; returns the unsubscribe function. No-op outside a page. */
function onWake(callback: () => void): () => void {
  const signs = [
    [page, 'online'],
    [page, 'pageshow'],
    [page.document, 'visibilitychange'],
    [page.document, 'resume'],
  ] as const
  for (const [target, type] of signs) target?.addEventListener?.(type, callback)
  return () => {
    for (const [target, type] of signs) target?.removeEventListener?.(type, callback)
  }
}

/**
 * Counts the seconds until the instant `until`, rounded up. It has a timer only while there is a listener, and reads the time
 * again when the page wakes: what the machine slept through has passed too. It reads no clock before it is first read itself, for
 * frameworks that render ahead of time refuse a component that does.
 */
function createCountdown(clock: Clock, until: number): Countdown {
  const time = createAwakeTime(clock)
  const left = (): number => Math.max(0, Math.ceil((until - time.now()) / 1000))
  let last: number | undefined
  const seconds = (): number => (last ??= left())

  return {
    seconds,
    subscribe(listener) {
      const alarm = createAlarm(clock, () => {
        // At the exact boundary, rounding may leave it just before.
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

/**
 * Returns the whole seconds until the instant `until` of the hooks' clock, rounded up; 0 once it has come, or if it is undefined.
 * The component renders at most once a second, when the number changes. On the server, and while hydrating, 0.
 *
 * @throws RangeError for an `until` that is NaN.
 */
export function useCountdown(until: number | undefined = -Infinity): number {
  checkFrom(-Infinity, 'until', until)
  const clock = useClock()
  const { seconds, subscribe } = useMemo(() => createCountdown(clock, until), [clock, until])
  return useSyncExternalStore(subscribe, seconds, () => 0)
}
