import { checkFinite } from '../../core/shared/check.ts'
import { systemTime } from '../../core/time/clock.ts'
import { readAllFields } from './legacy-fields.ts'
import { NOTHING_READ, readRateLimitFields, type RateLimitReading } from './rate-limit-fields.ts'

export interface ReadRateLimitOptions {
  /** The wall clock at the response, in ms since 1970. @default systemClock.wall() */
  now?: number | undefined
  /**
   * Read only the headers and parameters of draft-ietf-httpapi-ratelimit-headers-11. Otherwise also `a` and `w` for `r`
   * and `t`, and the older headers: the Dictionary of draft 07, and `RateLimit-Reset`, `X-RateLimit-Reset` and
   * `X-Rate-Limit-Reset`, with `-Limit` and `-Remaining`, or with `-Reset-After`, `-Retry-After` or
   * `-Retry-After-Seconds`.
   * @default false
   */
  strict?: boolean | undefined
}

/**
 * Reads the server's rate limits from `RateLimit` and `RateLimit-Policy`, or else from the older headers. Reads nothing if the
 * response came from a cache. Returns at most 8 limits and 8 policies, with the first 64 characters of their names.
 *
 * A page can read these headers of another origin only if they are exposed.
 *
 * @throws TypeError or RangeError unless `now` is a finite number.
 */
export function readRateLimit(
  headers: Headers,
  { now = systemTime.wall(), strict = false }: ReadRateLimitOptions = {},
): RateLimitReading {
  checkFinite('now', now)
  if (parseInt(headers.get('age') ?? '') > 0) return NOTHING_READ
  return strict ? readRateLimitFields(headers, true) : readAllFields(headers, now, true)
}
