import { systemClock } from '../core/clock.ts'
import { readLegacyLimit } from './read-legacy-limit.ts'
import {
  MOST_LIMITS,
  readLimits,
  type Fields,
  type RateLimitPolicy,
  type RateLimitState,
} from './read-limits.ts'

export interface ReadRateLimitOptions {
  /** Ms since 1970 by the wall clock, when the response came. @default systemClock.wall() */
  now?: number | undefined
  /**
   * Read nothing but the fields and parameters of draft-ietf-httpapi-ratelimit-headers-11. Otherwise also `a` and `w`
   * for `r` and `t`, and what servers sent before: the Dictionary of draft 07, `RateLimit-Reset`, `X-RateLimit-Reset`,
   * `X-Rate-Limit-Reset` and each of them with `-After`.
   * @default false
   */
  strict?: boolean | undefined
}

/** What a response's fields on rate limits say. */
export interface RateLimitReading {
  /** Which fields said it; undefined if none did. */
  readonly source: 'ratelimit' | 'ratelimit-legacy' | 'x-ratelimit' | undefined
  readonly limits: readonly RateLimitState[]
  readonly policies: readonly RateLimitPolicy[]
  /**
   * Ms that they ask to wait if the request was refused: the longest window of a limit of which nothing is left.
   * Undefined if they name no time. A limit of concurrent requests names none, for it ends with one of them.
   */
  readonly waitMs: number | undefined
}

/** R142: a longer field is not looked at. */
const LONGEST_FIELD = 8192

/**
 * What a response says of the server's rate limits in `RateLimit` and `RateLimit-Policy`, or else in the older fields.
 * Nothing if it came from a cache. At most 8 limits and 8 policies; of their names and keys the first 64 bytes.
 *
 * A page sees these fields of another origin only if they are exposed.
 */
export function readRateLimit(
  headers: Headers,
  { now = systemClock.wall(), strict = false }: ReadRateLimitOptions = {},
): RateLimitReading {
  return readFields(fieldsOf(headers), now, strict)
}

export const NOTHING_READ: RateLimitReading = {
  source: undefined,
  limits: [],
  policies: [],
  waitMs: undefined,
}

/** Fields that may say something of a limit. */
const TELLING = /^(x-)?rate-?limit|retry-after/
/** And those that say what that means. */
const DATING = /^(date|age)$/

/** What may be of use. Of one pass, since every look-up in `Headers` takes as long. */
export function fieldsOf(headers: Headers): Fields {
  const fields = new Map<string, string>()
  headers.forEach((value, name) => {
    if ((TELLING.test(name) || DATING.test(name)) && value.length <= LONGEST_FIELD) fields.set(name, value)
  })
  if (![...fields.keys()].some((name) => TELLING.test(name))) fields.clear()
  return fields
}

export function readFields(fields: Fields, now: number, strict: boolean): RateLimitReading {
  // R32. Most responses have none of the fields, and cost no more than to see that.
  if (
    parseInt(fields.get('age') ?? '') > 0 ||
    !Array.from(fields.keys()).some((name) => name.includes('limit'))
  )
    return NOTHING_READ
  const { limits, policies } = readLimits(fields, strict)
  const isTimed = limits.some(({ windowMs }) => windowMs !== undefined)
  const legacy = strict || isTimed ? undefined : readLegacyLimit(fields, now)
  const known = legacy ? [legacy.limit] : limits
  const waits = known.flatMap(({ available, windowMs, unit }) =>
    available || unit === 'concurrent-requests' ? [] : (windowMs ?? []),
  )
  return {
    source: legacy?.source ?? (known[0] || policies[0] ? 'ratelimit' : undefined),
    limits: known.slice(0, MOST_LIMITS),
    policies,
    waitMs: waits.sort((a, b) => b - a)[0],
  }
}
