import type { Decision } from 'lull/core'
import type { Settings } from './api.ts'

/** The fields that pages of other origins may read, in addition to the CORS-safelisted ones. */
export const exposedFields = [
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Date',
]

/** The header fields that describe the limit, in the style of `settings`. `now` is in ms since 1970. */
export function limitFields(settings: Settings, decision: Decision, now: number): Record<string, string> {
  const { headers } = settings
  const fields: Record<string, string> = {}
  if (headers === 'both' || headers === 'ratelimit') {
    Object.assign(fields, rateLimitFields(settings, decision))
  }
  if (headers === 'x-ratelimit') Object.assign(fields, olderFields(settings, decision, now))
  if (decision.allowed) return fields
  if (headers === 'both' || headers === 'retry-after') {
    fields['Retry-After'] = String(wholeSeconds(decision.retryAfterMs))
  }
  if (headers === 'date') {
    // HTTP dates are whole seconds. Date rounds down and Retry-After up: their difference is never too short.
    fields['Date'] = httpDate(now)
    fields['Retry-After'] = httpDate(wholeSeconds(now + decision.retryAfterMs) * 1000)
  }
  return fields
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11. In the next `t` seconds a client may use at most
 * `r`. After an allowed search the next whole token comes within 1 / rate seconds.
 */
function rateLimitFields(settings: Settings, decision: Decision) {
  const { ratePerSecond, burst } = settings
  return {
    'RateLimit-Policy': `"search";q=${burst};w=${wholeSeconds((burst * 1000) / ratePerSecond)}`,
    RateLimit: `"search";r=${decision.remaining};t=${wholeSeconds(windowMs(settings, decision))}`,
  }
}

/** The older, non-standard fields for the same values; the reset is an instant in seconds since 1970. */
function olderFields(settings: Settings, decision: Decision, now: number) {
  return {
    Date: httpDate(now),
    'X-RateLimit-Limit': String(settings.burst),
    'X-RateLimit-Remaining': String(decision.remaining),
    'X-RateLimit-Reset': String(wholeSeconds(now + windowMs(settings, decision))),
  }
}

const windowMs = ({ ratePerSecond }: Settings, { allowed, retryAfterMs }: Decision) =>
  allowed ? 1000 / ratePerSecond : retryAfterMs

const wholeSeconds = (ms: number) => Math.ceil(ms / 1000)

const httpDate = (at: number) => new Date(at).toUTCString()
