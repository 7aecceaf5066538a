import { systemTime } from '../core/time/clock.ts'
import { RateLimitError } from '../core/shared/errors.ts'
import type { WaitSource } from './events.ts'
import { readWait } from './headers/read-wait.ts'

/** The error of `throwOnThrottle`: a throttled response. */
export interface ThrottledError extends RateLimitError {
  /** Its body is not read. */
  readonly response: Response
  readonly source: WaitSource
  /** How often the request was sent. */
  readonly attempts: number
  /** The key of the bucket whose gate is closed. */
  readonly bucket: string
}

/** Returns whether `error` is a `RateLimitError`, also one of another copy of the library. */
export function isRateLimitError(error: unknown): error is RateLimitError {
  return error instanceof Error && error.name === 'RateLimitError' && 'retryAfterMs' in error
}

/**
 * Returns the ms to wait before trying again that a `RateLimitError` names, or a response in its `Retry-After`, `retry-after-ms`,
 * `RateLimit` or older fields; undefined if there is none.
 */
export function retryAfterMs(errorOrResponse: unknown): number | undefined {
  if (isRateLimitError(errorOrResponse)) return errorOrResponse.retryAfterMs
  const { headers } = (errorOrResponse ?? {}) as Partial<Response>
  // Of an error or a mocked response they may be of any kind.
  return typeof headers?.get === 'function' ? readWait(headers, systemTime.wall()) : undefined
}
