import { queryOptions } from '@tanstack/react-query'

/** For `useQuery`: the JSON that `fetch`, a rate-limited one, gets from `url`. */
export function jsonQuery<Data>(fetch: typeof globalThis.fetch, url: string) {
  return queryOptions({
    queryKey: [url],
    // With the signal, a query that nobody looks at any more gives up its place in the queue.
    async queryFn({ signal }) {
      const response = await fetch(url, { signal })
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      return (await response.json()) as Data
    },
    // The fetch has tried again by then, when the server wanted it to. Retries of both would multiply.
    retry: false,
  })
}
