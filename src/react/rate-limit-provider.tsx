import { createContext, useMemo, type ReactElement, type ReactNode } from 'react'
import type { RateLimitedFetchOptions } from '../fetch/create-rate-limited-fetch.ts'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import type { FetchSlot } from './fetch-slot.ts'
import { useOwnedFetch } from './use-owned-fetch.ts'

export const FetchContext: React.Context<FetchSlot | undefined> = createContext<FetchSlot | undefined>(
  undefined,
)

export type RateLimitProviderProps = { children?: ReactNode } & (
  | { /** A fetch that lives on after the provider. */ fetch: RateLimitedFetch; options?: undefined }
  | {
      /** Options of a fetch that the first `useRateLimitedFetch` below creates. It ends with the provider. */
      options: RateLimitedFetchOptions
      fetch?: undefined
    }
)

/**
 * Gives the hooks below it one rate-limited fetch to share, so that a server's cooldown holds for all of them.
 *
 * @param props see `RateLimitProviderProps`.
 */
export function RateLimitProvider({ fetch, options, children }: RateLimitProviderProps): ReactElement {
  const owned = useOwnedFetch(options)
  const given = useMemo(() => fetch && { ...fetch, fill: () => fetch }, [fetch])
  return <FetchContext.Provider value={given ?? owned}>{children}</FetchContext.Provider>
}
