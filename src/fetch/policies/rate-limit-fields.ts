import { readRateLimitFields } from '../headers/rate-limit-fields.ts'
import type { Policy } from '../policy.ts'
import { followLimits } from './follow-limits.ts'

export interface RateLimitFieldsOptions {
  /**
   * Whether requests go out evenly at the rate that `RateLimit-Policy` names, if that is at least 1 per second and 10 in its
   * window. Otherwise what is available goes at once.
   * @default true
   */
  spread?: boolean | undefined
}

const SILENT = { policies: [], quota: [] }

/**
 * A policy that keeps to the limits that a server names in `RateLimit` and `RateLimit-Policy`, so that it need not refuse
 * anything: no more than is available within the window, and no request for the window if none is.
 *
 * A page can read these fields of another origin only if they are exposed.
 *
 * @see draft-ietf-httpapi-ratelimit-headers-11
 */
export function rateLimitFields({ spread = true }: RateLimitFieldsOptions = {}): Policy {
  return followLimits((headers) => readRateLimitFields(headers), spread, Infinity, SILENT)
}
