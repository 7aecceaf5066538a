import type { WaitSource } from '../events.ts'
import { parseList } from './structured-list.ts'

/** What is left of one of the server's limits. */
export interface RateLimitState {
  readonly name: string
  /** In `unit`s; undefined if an older header does not name it. */
  readonly available: number | undefined
  /** Until this many ms after the response, no more than `available` may be used. Undefined if no time is named. */
  readonly windowMs: number | undefined
  /** The unit of the policy of this name, or else `requests`. */
  readonly unit: string
}

/** One of a server's limits. */
export interface RateLimitPolicy {
  readonly name: string
  /** In `unit`s. */
  readonly quota: number
  /** In ms; undefined if the server does not name it. */
  readonly windowMs: number | undefined
  /** `requests`, unless the server names another unit. */
  readonly unit: string
}

/** The content of a response's rate-limit headers. */
export interface RateLimitReading {
  /** Which headers it is from; undefined if there are none. */
  readonly source: Extract<WaitSource, 'ratelimit' | 'ratelimit-legacy' | 'x-ratelimit'> | undefined
  readonly limits: readonly RateLimitState[]
  readonly policies: readonly RateLimitPolicy[]
  /**
   * Ms to wait if the request was refused: the longest window of the limits with nothing left, undefined if there is none. A limit of
   * concurrent requests has no window: it frees a place when a request ends.
   */
  readonly waitMs: number | undefined
}

export const NOTHING_READ: RateLimitReading = {
  source: undefined,
  limits: [],
  policies: [],
  waitMs: undefined,
}

/** The maximum number of members, and the maximum length of names and units. */
const MAX_MEMBERS = 8
const MAX_NAME = 64

/**
 * Reads `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-11 and, unless `strict`, with the parameters
 * `a` and `w` of its pull request 166, which replace `r` and `t`. Malformed members are ignored.
 */
export function readRateLimitFields(headers: Headers, strict = false): RateLimitReading {
  const policies = readMembers(headers.get('ratelimit-policy'), 'q', 'w', 1)
  const left = readMembers(headers.get('ratelimit'), strict ? 'r' : 'ra', strict ? 't' : 'tw', 0)
  let waitMs: number | undefined
  const limits = Array.from(left.values(), ({ name, quota: available, windowMs }) => {
    const unit = policies.get(name)?.unit ?? 'requests'
    if (!available && unit !== 'concurrent-requests' && windowMs! >= (waitMs ?? 0)) waitMs = windowMs
    return { name, available, windowMs, unit }
  })
  return {
    source: left.size + policies.size ? 'ratelimit' : undefined,
    limits: limits.slice(0, MAX_MEMBERS),
    policies: [...policies.values()].slice(0, MAX_MEMBERS),
    waitMs,
  }
}

/** Reads the members of a header, with the quota in one of `quotaKeys` and the seconds, if any, in one of `windowKeys`. */
function readMembers(text: string | null, quotaKeys: string, windowKeys: string, minSeconds: number) {
  const members = new Map<string, RateLimitPolicy>()
  for (const { item, params } of parseList(text)) {
    /** The values of the keys that exist; NaN for one that is not a non-negative Integer. */
    const naturals = (keys: string): number[] =>
      Array.from(keys).flatMap((key) => {
        const value = params.get(key)
        return value ? (/^(-0+|\d+)$/.test(value) ? Math.abs(+value) : NaN) : []
      })
    // Of two keys or members for the same limit, the stricter is used. Infinite if there is no key.
    const quota = Math.min(...naturals(quotaKeys))
    const seconds = Math.max(...naturals(windowKeys))
    if (
      /^["*a-z]/i.test(item) &&
      quota < Infinity &&
      (seconds < 0 || seconds >= minSeconds) &&
      (params.get('pk') ?? ':')[0] === ':'
    ) {
      const name = textOf(item)
      const same = members.get(name)
      members.set(name, {
        name,
        quota: Math.min(quota, same?.quota ?? quota),
        windowMs: seconds < 0 ? same?.windowMs : Math.max(seconds * 1000, same?.windowMs ?? 0),
        // The draft uses both words.
        unit: textOf(params.get('qu') ?? 'request').replace(/^request$/, 'requests'),
      })
    }
  }
  return members
}

/** The text of a String or Token. */
const textOf = (item: string): string => item.replace(/"|\\(.)/g, '$1').slice(0, MAX_NAME)
