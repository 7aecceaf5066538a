import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import { totalOf } from '../fetch/snapshot.ts'
import type { FetchSnapshot } from '../fetch/snapshot-types.ts'
import { useRateLimitedFetch } from './use-rate-limited-fetch.ts'
import { useSnapshot } from './use-snapshot.ts'

const idle = totalOf({}, undefined)

/**
 * The state of a paced fetch (the provider's, else the page's): what waits, what is in flight, and the gate.
 * The component renders when it changes; with `select`, when what `select` takes of it changes (by `Object.is`).
 * On the server, and while hydrating, it is that of a fetch that has nothing to do.
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
  return useSnapshot<FetchSnapshot, FetchSnapshot | Selected>(useRateLimitedFetch(fetch), () => idle, select)
}
