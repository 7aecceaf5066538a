import { isRateLimitError } from 'lull/fetch'
import { BadStatusError } from './search-cities.ts'

/** The error message for the visitor. */
export function failureWords(error: unknown): string {
  if (isRateLimitError(error)) {
    return `The server asks for a pause of ${Math.ceil(error.retryAfterMs / 1000)} s. That is too long to wait.`
  }
  if (error instanceof BadStatusError) {
    return error.status === 429
      ? 'The server still refuses.'
      : `The server failed with status ${error.status}.`
  }
  if (error instanceof SyntaxError) return 'The server’s response is not a list of cities.'
  return 'The server cannot be reached.'
}
