/** Why waiting was given up. */
export type RateLimitErrorCode =
  'wait-too-long' | 'queue-full' | 'throttled' | 'circuit-open' | 'queue-timeout' | 'deadline' | 'disposed'

/**
 * Waiting for a limit was given up, or could not succeed. A refusal without waiting is a return value, not this.
 */
export class RateLimitError extends Error {
  override readonly name = 'RateLimitError'
  declare readonly code: RateLimitErrorCode
  /** Ms after which the same would be allowed, as known when it was refused. Infinity: never, or unknown. */
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
