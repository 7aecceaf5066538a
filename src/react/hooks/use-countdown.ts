import { useMemo, useSyncExternalStore } from 'react'
import { checkFrom } from '../../core/limit/rules/check-number.ts'
import { useClock } from '../clock-provider.tsx'
import { createCountdown } from '../create-countdown.ts'

/**
 * Whole seconds until the instant `until` of the hooks' clock, rounded up; 0 once it has come, or if it is undefined.
 * The component renders once a second at most, when the number changes.
 *
 * @throws RangeError for an `until` that is NaN.
 */
export function useCountdown(until: number | undefined = -Infinity): number {
  checkFrom(-Infinity, 'until', until)
  const clock = useClock()
  const { seconds, subscribe } = useMemo(() => createCountdown(clock, until), [clock, until])
  return useSyncExternalStore(subscribe, seconds, () => 0)
}
