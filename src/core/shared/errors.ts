/** Why waiting was given up. */
export type RateLimitErrorCode =
  'wait-too-long' | 'queue-full' | 'throttled' | 'circuit-open' | 'queue-timeout' | 'deadline' | 'disposed'

/**
 * A wait for a limit ended without success, or would have. A refusal without a wait is a return value, no error.
 */
export class RateLimitError extends Error {
  override readonly name = 'RateLimitError'
  declare readonly code: RateLimitErrorCode
  /** Ms after which the same would be allowed, as known when it was refused. Infinity: never, or nobody can tell. */
  declare readonly retryAfterMs: number

  constructor(
    code: RateLimitErrorCode,
    message: string,
    retryAfterMs: number,
    options?: { cause?: unknown },
  ) {
    super(message, options)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
