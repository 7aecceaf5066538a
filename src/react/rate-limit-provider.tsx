import { createContext, type ReactNode } from 'react'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import type { RateLimitedFetchOptions } from '../fetch/options.ts'
import { useOwnedFetch } from './use-owned-fetch.ts'

export const FetchContext: React.Context<RateLimitedFetch | undefined> = createContext<
  RateLimitedFetch | undefined
>(undefined)

export type RateLimitProviderProps = { children?: ReactNode } & (
  | { /** An instance that lives on after the provider. */ fetch: RateLimitedFetch; options?: undefined }
  | {
      /** What to make an instance of that ends with the provider. */ options: RateLimitedFetchOptions
      fetch?: undefined
    }
)

/** Gives the hooks below it one paced fetch to share, so that what a server tells one of them holds for all. */
export function RateLimitProvider({ fetch, options, children }: RateLimitProviderProps): ReactNode {
  const owned = useOwnedFetch(options)
  return <FetchContext.Provider value={fetch ?? owned}>{children}</FetchContext.Provider>
}
