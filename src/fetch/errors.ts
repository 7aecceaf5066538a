import { RateLimitError } from '../core/errors.ts'
import { systemClock } from '../core/clock.ts'
import type { WaitSource } from './events.ts'
import { parseRetryAfter } from './parse-retry-after.ts'

/** What `throwOnThrottle` rejects with: the throttled response in the form of an error. */
export interface ThrottledError extends RateLimitError {
  /** Its body is not read. */
  readonly response: Response
  readonly source: WaitSource
  /** How often the request was sent. */
  readonly attempts: number
  /** The key of the bucket whose gate is closed. */
  readonly bucket: string
}

export function createThrottledError(
  retryAfterMs: number,
  details: Pick<ThrottledError, 'response' | 'source' | 'attempts' | 'bucket'>,
): ThrottledError {
  const message = `The server answered ${details.response.status} after ${details.attempts} attempts`
  return Object.assign(new RateLimitError('throttled', message, retryAfterMs), details)
}

/** Whether `error` says that a limit was met: one of this library's own, from whichever copy of it. */
export function isRateLimitError(error: unknown): error is RateLimitError {
  return error instanceof Error && error.name === 'RateLimitError' && 'retryAfterMs' in error
}

/**
 * How long to wait before trying again, in ms: what a `RateLimitError` says, or a response's `Retry-After`.
 * Undefined if neither says so.
 */
export function retryAfterMs(errorOrResponse: unknown): number | undefined {
  if (isRateLimitError(errorOrResponse)) return errorOrResponse.retryAfterMs
  if (!(errorOrResponse instanceof Response)) return undefined
  const { headers } = errorOrResponse
  return parseRetryAfter(headers.get('retry-after'), { now: systemClock.wall(), date: headers.get('date') })
}
