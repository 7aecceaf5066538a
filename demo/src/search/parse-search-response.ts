import type { CityResult, SearchResponse } from '../../server/api.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function isCity(value: unknown): value is CityResult {
  if (!isObject(value)) return false
  const { id, name, country, population } = value
  return (
    typeof id === 'number' &&
    typeof name === 'string' &&
    typeof country === 'string' &&
    typeof population === 'number'
  )
}

/** Checks that `value` is a response to `query`. Throws a `SyntaxError` otherwise, like `JSON.parse`. */
export function parseSearchResponse(value: unknown, query: string): SearchResponse {
  const isResponse =
    isObject(value) &&
    value['query'] === query &&
    typeof value['total'] === 'number' &&
    Array.isArray(value['results']) &&
    value['results'].every(isCity)
  if (!isResponse) throw new SyntaxError('Expected a response to the search')
  return value as unknown as SearchResponse
}
