import { useContext, useMemo } from 'react'
import { adviseOnMade } from '../../core/shared/develop.ts'
import {
  createRateLimitedFetch,
  type RateLimitedFetchOptions,
} from '../../fetch/create-rate-limited-fetch.ts'
import type { RateLimitedFetch } from '../../fetch/rate-limited-fetch.ts'
import { useClock } from '../clock-provider.tsx'
import { pageSlot } from '../fetch-slot.ts'
import { FetchContext } from '../rate-limit-provider.tsx'
import { useOwnedFetch } from '../use-owned-fetch.ts'

/**
 * Returns a rate-limited `fetch`. It is the same function for the component's life, as SWR, TanStack Query and effects need.
 *
 * Without an argument it is the provider's fetch, else one that all components of the page share. With a rate-limited fetch it is
 * that one. Both outlive the component. With options the component owns its fetch: it is made once and uses the options of the
 * last commit; on unmount its calls are aborted with an `AbortError`. Do not switch a component from one kind to another.
 *
 * @throws as `createRateLimitedFetch` does.
 */
export function useRateLimitedFetch(given?: RateLimitedFetch | RateLimitedFetchOptions): RateLimitedFetch {
  adviseOnMade('fetch', given, 'snapshot', 'createRateLimitedFetch', typeof given !== 'function')
  const clock = useClock()
  const provided = useContext(FetchContext)
  const instance = typeof given === 'function' ? given : undefined
  const owned = useOwnedFetch(typeof given === 'function' ? undefined : given)
  return useMemo(
    () => instance ?? (owned ?? provided ?? pageSlot(clock)).fill(createRateLimitedFetch),
    [instance, owned, provided, clock],
  )
}
