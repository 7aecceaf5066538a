import { dedupeFetch, supersedeFetch } from 'lull/fetch'

/**
 * Returns `search(text)`, which resolves with the JSON that `url` returns
 * for the text, or with undefined if a newer search has begun.
 */
export function createSearch<Found>(
  fetch: typeof globalThis.fetch,
  url: string,
) {
  // The same text joins its search. Another text aborts it.
  const fetchLatest = dedupeFetch(supersedeFetch(fetch))

  return async function search(
    text: string,
    signal?: AbortSignal,
  ): Promise<Found | undefined> {
    try {
      const query = new URLSearchParams({ q: text }).toString()
      const response = await fetchLatest(`${url}?${query}`, {
        signal: signal ?? null,
      })
      if (!response.ok) throw new Error(`${url}: ${response.status}`)
      return (await response.json()) as Found
    } catch (error) {
      if (error instanceof Error && error.cause === 'superseded')
        return undefined
      throw error
    }
  }
}
