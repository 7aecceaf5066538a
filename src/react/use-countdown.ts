import { useCallback, useSyncExternalStore } from 'react'
import { createAlarm } from '../core/alarm.ts'
import { useClock } from './clock-provider.tsx'

/**
 * Whole seconds until the instant `until` of the hooks' clock, rounded up; 0 once it has come, or if it is undefined.
 * The component renders once a second at most, when the number changes.
 */
export function useCountdown(until: number | undefined): number {
  const clock = useClock()
  const secondsLeft = (): number =>
    until === undefined ? 0 : Math.max(0, Math.ceil((until - clock.now()) / 1000))
  const subscribe = useCallback(
    (listener: () => void) => {
      const alarm = createAlarm(clock, tick)
      function setNext(): void {
        if (until === undefined) return
        const seconds = Math.ceil((until - clock.now()) / 1000)
        if (seconds > 0) alarm.set(until - (seconds - 1) * 1000)
      }
      function tick(): void {
        setNext()
        listener()
      }
      setNext()
      return () => alarm.clear()
    },
    [clock, until],
  )
  return useSyncExternalStore(subscribe, secondsLeft, () => 0)
}
