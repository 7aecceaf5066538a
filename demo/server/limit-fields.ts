import type { Decision } from 'lull/core'
import type { Settings } from './api.ts'

/** What a page of another origin may read, beyond the few fields that browsers always show. */
export const exposedFields = [
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Date',
]

/** The header fields that tell a client of the limit in the style that `settings` ask for; `now` is since 1970. */
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
    // HTTP dates are whole seconds: Date rounds down and Retry-After up, so that their distance is never too short.
    fields['Date'] = httpDate(now)
    fields['Retry-After'] = httpDate(wholeSeconds(now + decision.retryAfterMs) * 1000)
  }
  return fields
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11. Its window `t` is the time in which a client may use no more
 * than `r`: after a search that was allowed, the next whole token comes within one over the rate.
 */
function rateLimitFields(settings: Settings, decision: Decision) {
  const { ratePerSecond, burst } = settings
  return {
    'RateLimit-Policy': `"search";q=${burst};w=${wholeSeconds((burst * 1000) / ratePerSecond)}`,
    RateLimit: `"search";r=${decision.remaining};t=${wholeSeconds(windowMs(settings, decision))}`,
  }
}

/** What servers send that do not know of the draft: the same in no standard, with the instant in seconds since 1970. */
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
