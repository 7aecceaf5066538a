import type { SWRConfiguration } from 'swr'

/** For `<SWRConfig value={…}>`: keys are URLs that `fetch`, a rate-limited one, gets JSON from. */
export function pacedByFetch(fetch: typeof globalThis.fetch): SWRConfiguration {
  return {
    async fetcher(url: string) {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      return (await response.json()) as unknown
    },
    // The fetch has tried again by then, when the server wanted it to. SWR would go on for ever.
    shouldRetryOnError: false,
    // A call that waits for the server's limit is not a slow one.
    loadingTimeout: 60_000,
  }
}
