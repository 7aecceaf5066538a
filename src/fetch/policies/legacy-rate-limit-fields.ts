import { check } from '../../core/shared/check.ts'
import { readAllFields } from '../headers/legacy-fields.ts'
import { NOTHING_READ, type RateLimitReading } from '../headers/rate-limit-fields.ts'
import type { Policy } from '../policy.ts'
import { followLimits } from './rate-limit-fields.ts'

const MAX_MS = 60_000

export interface LegacyRateLimitFieldsOptions {
  /**
   * Maximum time in ms that calls are delayed without a refusal. A longer reset does not close the gate: resets come in many
   * formats, and a misread one must not stop a page for long.
   * @default 60_000
   */
  maxPreemptiveMs?: number | undefined
}

/**
 * A policy that keeps the limits that servers name in headers older than `RateLimit`, such as `X-RateLimit-…`: those that
 * `readRateLimit` reads unless `strict`. `RateLimit` has precedence if it names a time. A reset may be a number of seconds,
 * seconds or ms since 1970, an HTTP date or an RFC 3339 date.
 *
 * @throws RangeError if `maxPreemptiveMs` is below 0.
 */
export function legacyRateLimitFields({
  maxPreemptiveMs = MAX_MS,
}: LegacyRateLimitFieldsOptions = {}): Policy {
  check(maxPreemptiveMs >= 0, 'maxPreemptiveMs >= 0', maxPreemptiveMs)
  return followLimits(readOlderFields, false, maxPreemptiveMs, {})
}

function readOlderFields(headers: Headers, wallMs: number): RateLimitReading {
  const reading = readAllFields(headers, wallMs, true)
  return reading.source === 'ratelimit' ? NOTHING_READ : reading
}

/** `rateLimitFields` and `legacyRateLimitFields` in one policy, which counts each request once. */
export const bothFields = (spread: boolean): Policy => followLimits(readAllFields, spread, MAX_MS)
