import { useCountdown } from 'lull'

/** The seconds until the instant `until`, rounded as a pause is announced, and at least 1 before it; else 0. */
export function useSecondsLeft(until: number | undefined): number {
  const rounded = useCountdown(until && until - 500)
  return useCountdown(until) && Math.max(rounded, 1)
}
