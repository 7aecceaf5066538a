import type { WaitSource } from '../events.ts'
import { parseList } from './structured-list.ts'

/** What a server says is left of one of its limits. */
export interface RateLimitState {
  readonly name: string
  /** In `unit`s; undefined if an older field does not say. */
  readonly available: number | undefined
  /** No more than `available` may be used in so many ms from when the response came; undefined: no time is named. */
  readonly windowMs: number | undefined
  /** That of the policy of this name, or else `requests`. */
  readonly unit: string
}

/** One of a server's limits. */
export interface RateLimitPolicy {
  readonly name: string
  /** In `unit`s. */
  readonly quota: number
  /** In ms; undefined if the server does not say. */
  readonly windowMs: number | undefined
  /** `requests`, unless the server says otherwise. */
  readonly unit: string
}

/** What a response's fields on rate limits say. */
export interface RateLimitReading {
  /** Which fields said it; undefined if none did. */
  readonly source: Extract<WaitSource, 'ratelimit' | 'ratelimit-legacy' | 'x-ratelimit'> | undefined
  readonly limits: readonly RateLimitState[]
  readonly policies: readonly RateLimitPolicy[]
  /**
   * Ms that they ask to wait if the request was refused: the longest window of a limit of which nothing is left.
   * Undefined if they name no time. A limit of concurrent requests names none, for it ends with one of them.
   */
  readonly waitMs: number | undefined
}

export const NOTHING_READ: RateLimitReading = {
  source: undefined,
  limits: [],
  policies: [],
  waitMs: undefined,
}

/** More members are not kept, nor longer names and units; a longer field is ignored. */
const MAX_MEMBERS = 8
const MAX_NAME = 64
export const MAX_FIELD = 8192

/**
 * What `RateLimit` and `RateLimit-Policy` say, by draft-ietf-httpapi-ratelimit-headers-11 and, unless `strict`, by the
 * names that its pull request 166 gives to `r` and `t`. A malformed member is ignored.
 */
export function readRateLimitFields(headers: Headers, strict = false): RateLimitReading {
  const named = headers.get('ratelimit-policy')
  const left = headers.get('ratelimit')
  // Most responses have neither.
  if ((named ?? left) === null) return NOTHING_READ

  const policies = readMembers(named, 'q', 'w', 1).slice(0, MAX_MEMBERS)
  const limits = readMembers(left, strict ? 'r' : 'ra', strict ? 't' : 'tw', 0).map(
    ({ name, quota, windowMs }) => ({
      name,
      available: quota,
      windowMs,
      unit: policies.find((policy) => policy.name === name)?.unit ?? 'requests',
    }),
  )
  const waits = limits.flatMap(({ available, windowMs, unit }) =>
    available || unit === 'concurrent-requests' ? [] : (windowMs ?? []),
  )
  return {
    source: (limits[0] ?? policies[0]) && 'ratelimit',
    limits: limits.slice(0, MAX_MEMBERS),
    policies,
    waitMs: waits[0] === undefined ? waits[0] : Math.max(...waits),
  }
}

/** The members of a field, with their quota in one of `quotaKeys` and their seconds, if any, in one of `windowKeys`. */
function readMembers(text: string | null, quotaKeys: string, windowKeys: string, minSeconds: number) {
  const members = new Map<string, RateLimitPolicy>()
  for (const { item, params } of (text && text.length <= MAX_FIELD && parseList(text)) || []) {
    /** The values of those that there are; NaN for one that is not an Integer from 0. */
    const naturals = (keys: string): number[] =>
      Array.from(keys).flatMap((key) => {
        const value = params.get(key)
        return value ? (/^(-0+|\d+)$/.test(value) ? Math.abs(+value) : NaN) : []
      })
    // Of two that say the same the stricter counts.
    const quota = Math.min(...naturals(quotaKeys))
    const seconds = Math.max(...naturals(windowKeys))
    if (
      !/^["*a-z]/i.test(item) ||
      !(quota < Infinity) ||
      !(seconds >= minSeconds || seconds === -Infinity) ||
      !(params.get('pk') ?? ':').startsWith(':')
    )
      continue
    const name = textOf(item)
    const same = members.get(name)
    const unit = textOf(params.get('qu') ?? 'requests')
    members.set(name, {
      name,
      quota: Math.min(quota, same?.quota ?? quota),
      windowMs: seconds < 0 ? same?.windowMs : Math.max(seconds * 1000, same?.windowMs ?? 0),
      // The draft has both.
      unit: unit === 'request' ? 'requests' : unit,
    })
  }
  return [...members.values()]
}

/** What a String or Token says. */
const textOf = (item: string): string => item.replace(/^"|"$|\\(.)/g, '$1').slice(0, MAX_NAME)
