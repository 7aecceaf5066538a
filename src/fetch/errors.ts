import { RateLimitError } from '../core/shared/errors.ts'
import { systemTime } from '../core/time/clock.ts'
import type { WaitSource } from './events.ts'
import { readRateLimit } from './headers/read-rate-limit.ts'
import { readRetryAfter } from './headers/retry-after.ts'

/** The error of `throwOnThrottle`: a throttled response. */
export interface ThrottledError extends RateLimitError {
  /** Its body is not read. */
  readonly response: Response
  readonly source: WaitSource
  /** How many times the request was sent. */
  readonly attempts: number
  /** The key of the bucket whose gate is closed. */
  readonly bucket: string
}

/** Returns whether `error` is a `RateLimitError`, including one from another copy of the library or another realm. */
export function isRateLimitError(error: unknown): error is RateLimitError {
  // `instanceof` does not recognize an error of another realm.
  const isError = {}.toString.call(error) === '[object Error]'
  return isError && (error as Error).name === 'RateLimitError' && 'retryAfterMs' in (error as Error)
}

/**
 * Returns the ms to wait before a retry: of a `RateLimitError`, or from the first of a response's headers that names a time:
 * `Retry-After` or `retry-after-ms`, then `RateLimit`, then older ones. Undefined if there is none.
 */
export function retryAfterMs(errorOrResponse: unknown): number | undefined {
  if (isRateLimitError(errorOrResponse)) return errorOrResponse.retryAfterMs
  const { headers } = (errorOrResponse ?? {}) as Partial<Response>
  // An error or a mocked response may have anything as `headers`.
  if (typeof headers?.get !== 'function') return undefined
  return readRetryAfter(headers, systemTime.wall()).waitMs ?? readRateLimit(headers).waitMs
}
