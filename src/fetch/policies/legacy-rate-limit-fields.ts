import { checkFrom } from '../../core/shared/check.ts'
import { readLegacyFields } from '../headers/legacy-fields.ts'
import type { Policy } from '../policy.ts'
import { followLimits } from './rate-limit-fields.ts'

export interface LegacyRateLimitFieldsOptions {
  /**
   * The longest time in ms for which calls are held back before a refusal; a longer reset does not close the gate. Resets are of
   * many kinds: a misread one must not stop a page for long.
   * @default 60_000
   */
  maxPreemptiveMs?: number | undefined
}

/**
 * A policy that keeps the limits that servers name in fields older than `RateLimit`: `RateLimit-Remaining` and
 * `RateLimit-Reset`, `X-RateLimit-…`, `X-Rate-Limit-…`, and the Dictionary of draft 07. `RateLimit` has precedence if it names a
 * time. A reset may be a number of seconds, an instant in seconds or ms since 1970, a date or a timestamp.
 *
 * @throws RangeError if `maxPreemptiveMs` is below 0.
 */
export function legacyRateLimitFields({
  maxPreemptiveMs = 60_000,
}: LegacyRateLimitFieldsOptions = {}): Policy {
  checkFrom(0, 'maxPreemptiveMs', maxPreemptiveMs)
  return followLimits(readLegacyFields, false, maxPreemptiveMs, {})
}
