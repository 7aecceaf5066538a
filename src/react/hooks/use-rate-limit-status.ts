import { useContext, useState } from 'react'
import type { RateLimitedFetch } from '../../fetch/rate-limited-fetch.ts'
import type { FetchSnapshot } from '../../fetch/snapshot.ts'
import { useClock } from '../clock-provider.tsx'
import { IDLE, pageSlot } from '../fetch-slot.ts'
import { FetchContext } from '../rate-limit-provider.tsx'
import { useSnapshot } from './use-limiter.ts'

/**
 * Returns the state of a rate-limited fetch: how many calls are queued and in flight, and when a cooldown ends. Without `fetch`
 * it reads the fetch of `useRateLimitedFetch()`: the provider's, else the one that the page shares. Pass any other fetch.
 *
 * The component renders when the state changes; with `select`, when the result of `select` changes (by `Object.is`). On the
 * server and while hydrating, it returns the state of an idle fetch.
 */
export function useRateLimitStatus(fetch?: RateLimitedFetch): FetchSnapshot
export function useRateLimitStatus<Selected>(
  fetch: RateLimitedFetch | undefined,
  select: (snapshot: FetchSnapshot) => Selected,
): Selected
export function useRateLimitStatus<Selected>(
  fetch?: RateLimitedFetch,
  select?: (snapshot: FetchSnapshot) => Selected,
): FetchSnapshot | Selected {
  const clock = useClock()
  const provided = useContext(FetchContext)
  const [ofPage] = useState(() => pageSlot(clock))
  return useSnapshot<FetchSnapshot, FetchSnapshot | Selected>(fetch ?? provided ?? ofPage, () => IDLE, select)
}
