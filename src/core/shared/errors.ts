/** Why a call was rejected. */
export type RateLimitErrorCode =
  | 'wait-too-long'
  | 'queue-full'
  | 'throttled'
  | 'circuit-open'
  | 'queue-timeout'
  | 'deadline'
  | 'disposed'

/** Rejects a call that would wait too long for a limit, or that cannot succeed. A refusal without waiting is a return value. */
export class RateLimitError extends Error {
  override readonly name = 'RateLimitError'
  declare readonly code: RateLimitErrorCode
  /** Ms after which the same call would be allowed, as known at the rejection. Infinity: never, or unknown. */
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
