import type { SearchAnswer } from '../../server/api.ts'
import { parseSearchAnswer } from './parse-search-answer.ts'

interface Asker {
  fetch: typeof globalThis.fetch
  client: string
  signal: AbortSignal
}

/** Asks the server for cities whose name has `query` in it. Rejects unless it answers that, and rightly. */
export async function searchCities(query: string, { fetch, client, signal }: Asker): Promise<SearchAnswer> {
  const parameters = new URLSearchParams({ q: query, client })
  // Somebody waits for it.
  const response = await fetch(`/api/search?${parameters.toString()}`, { signal, priority: 'high' })
  if (!response.ok) throw new BadStatusError(response.status)
  return parseSearchAnswer(await response.json(), query)
}

export class BadStatusError extends Error {
  override readonly name = 'BadStatusError'
  readonly status: number

  constructor(status: number) {
    super(`The server answered with status ${status}`)
    this.status = status
  }
}
