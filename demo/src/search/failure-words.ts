import { isRateLimitError } from 'lull/fetch'
import { BadStatusError } from './search-cities.ts'

/** What went wrong with a search, in words for whoever typed it. */
export function failureWords(error: unknown): string {
  if (isRateLimitError(error)) {
    return `The server wants ${Math.ceil(error.retryAfterMs / 1000)} s of quiet. That is too long to wait for.`
  }
  if (error instanceof BadStatusError) {
    return error.status === 429
      ? 'The server still refuses.'
      : `The server is in trouble (status ${error.status}).`
  }
  if (error instanceof SyntaxError) return 'The server’s response is not a list of cities.'
  return 'The server cannot be reached.'
}
