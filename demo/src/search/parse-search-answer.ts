import type { CityResult, SearchAnswer } from '../../server/api.ts'

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

/** `value` as an answer to `query`. Throws a `SyntaxError`, as the parser of JSON does, if it is none. */
export function parseSearchAnswer(value: unknown, query: string): SearchAnswer {
  const isAnswer =
    isObject(value) &&
    value['query'] === query &&
    typeof value['total'] === 'number' &&
    Array.isArray(value['results']) &&
    value['results'].every(isCity)
  if (!isAnswer) throw new SyntaxError('Expected an answer to the search')
  return value as unknown as SearchAnswer
}
