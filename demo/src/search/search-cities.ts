import type { SearchResponse } from '../../server/api.ts'
import { parseSearchResponse } from './parse-search-response.ts'

interface SearchOptions {
  fetch: typeof globalThis.fetch
  client: string
  signal: AbortSignal
}

/** Fetches the cities whose name contains `query`. Rejects on a bad status or an invalid response. */
export async function searchCities(
  query: string,
  { fetch, client, signal }: SearchOptions,
): Promise<SearchResponse> {
  const parameters = new URLSearchParams({ q: query, client })
  // High, because the visitor waits for the results.
  const response = await fetch(`/api/search?${parameters.toString()}`, { signal, priority: 'high' })
  if (!response.ok) throw new BadStatusError(response.status)
  return parseSearchResponse(await response.json(), query)
}

export class BadStatusError extends Error {
  override readonly name = 'BadStatusError'
  readonly status: number

  constructor(status: number) {
    super(`The server responded with status ${status}`)
    this.status = status
  }
}
