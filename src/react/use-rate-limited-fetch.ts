import { useContext, useState } from 'react'
import type { Clock } from '../core/clock.ts'
import { createRateLimitedFetch } from '../fetch/create-rate-limited-fetch.ts'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import type { RateLimitedFetchOptions } from '../fetch/options.ts'
import { useClock } from './clock-provider.tsx'
import { FetchContext } from './rate-limit-provider.tsx'
import { useOwnedFetch } from './use-owned-fetch.ts'

/** One for the page, or rather for each clock of it. */
const pageFetches = new WeakMap<Clock, RateLimitedFetch>()

function pageFetch(clock: Clock): RateLimitedFetch {
  let fetch = pageFetches.get(clock)
  if (!fetch) pageFetches.set(clock, (fetch = createRateLimitedFetch({ clock })))
  return fetch
}

/**
 * A paced `fetch`: the same function for the component's life, fit for dependency lists, SWR and TanStack Query.
 *
 * With an instance, or with nothing (the provider's, else one for the page), it is shared and lives on. With options
 * it is the component's own: made once, the options of the last commit in force, and when the component is unmounted
 * its calls are aborted with an `AbortError`. A component does not change from one kind to another.
 *
 * @throws as `createRateLimitedFetch` does.
 */
export function useRateLimitedFetch(given?: RateLimitedFetch | RateLimitedFetchOptions): RateLimitedFetch {
  const clock = useClock()
  const provided = useContext(FetchContext)
  const owned = useOwnedFetch(typeof given === 'function' ? undefined : given)
  // A server has no page: requests of different users share nothing.
  const [shared] = useState(() =>
    typeof window === 'undefined' ? createRateLimitedFetch({ clock }) : pageFetch(clock),
  )
  return typeof given === 'function' ? given : (owned ?? provided ?? shared)
}
