import { queryOptions } from '@tanstack/react-query'

/** For `useQuery`: JSON from `url`, by a rate-limited `fetch`. */
export function jsonQuery<Data>(
  fetch: typeof globalThis.fetch,
  url: string,
) {
  return queryOptions({
    queryKey: [url],
    // With the signal, a query that nobody uses any more leaves the queue.
    async queryFn({ signal }) {
      const response = await fetch(url, { signal })
      if (!response.ok) throw new Error(`${url}: ${response.status}`)
      return (await response.json()) as Data
    },
    // The fetch has already retried. Retries of both would multiply.
    retry: false,
  })
}
