import { dedupeFetch, supersedeFetch } from 'lull/fetch'

/**
 * For a search box: `search(text)` gets what `url` finds for the text, as JSON; or undefined, if the search for another text
 * has begun before that was there.
 */
export function createSearch<Found>(fetch: typeof globalThis.fetch, url: string) {
  // The same text again joins the search for it; any other one takes its place, in the queue too.
  const fetchLatest = dedupeFetch(supersedeFetch(fetch, { key: () => 'search' }))

  return async function search(text: string, signal?: AbortSignal): Promise<Found | undefined> {
    try {
      const query = new URLSearchParams({ q: text }).toString()
      const response = await fetchLatest(`${url}?${query}`, { signal: signal ?? null })
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      return (await response.json()) as Found
    } catch (error) {
      if (error instanceof DOMException && error.cause === 'superseded') return undefined
      throw error
    }
  }
}
