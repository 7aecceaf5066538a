import type { SWRConfiguration } from 'swr'

/** For `<SWRConfig value={…}>`, with a rate-limited `fetch`. */
export function rateLimitedConfig(
  fetch: typeof globalThis.fetch,
): SWRConfiguration {
  return {
    async fetcher(url: string) {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`${url}: ${response.status}`)
      return (await response.json()) as unknown
    },
    // The fetch has already retried, when the server allowed it.
    shouldRetryOnError: false,
    // A call that waits for the rate limit is not a slow one.
    loadingTimeout: 60_000,
  }
}
