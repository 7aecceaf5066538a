import { useMemo, useSyncExternalStore } from 'react'
import { useClock } from './clock-provider.tsx'
import { createCountdown } from './create-countdown.ts'

/**
 * Whole seconds until the instant `until` of the hooks' clock, rounded up; 0 once it has come, or if it is undefined.
 * The component renders once a second at most, when the number changes.
 */
export function useCountdown(until: number | undefined): number {
  const clock = useClock()
  const { seconds, subscribe } = useMemo(() => createCountdown(clock, until ?? -Infinity), [clock, until])
  return useSyncExternalStore(subscribe, seconds, () => 0)
}
