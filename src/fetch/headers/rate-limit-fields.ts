import type { WaitSource } from '../events.ts'
import { parseList, type Parameters } from './structured-list.ts'

/** What a server says is left of one of its limits. */
export interface RateLimitState {
  readonly name: string
  /** In `unit`s; undefined if an older field does not say. */
  readonly available: number | undefined
  /** No more than `available` may be used in so many ms from when the response came; undefined: no time is named. */
  readonly windowMs: number | undefined
  /** That of the policy of this name, or else `requests`. */
  readonly unit: string
  /** What this request has used. */
  readonly cost?: number | undefined
  /** Which part of the quota this is: bytes, a character for each. */
  readonly partition?: string | undefined
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
  /** Which part of the quota this is: bytes, a character for each. */
  readonly partition?: string | undefined
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

/** More are not kept. */
const MAX_LIMITS = 8
/** A longer name, unit or partition is cut. */
const MAX_NAME = 64
/** A longer field is ignored. */
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

  const policies = readMembers(named, 'q', 'w', 1)
    .slice(0, MAX_LIMITS)
    .map(({ params, ...policy }) => {
      const unit = String(params.get('qu')?.value ?? 'requests').slice(0, MAX_NAME)
      // The draft has both.
      return { ...policy, unit: unit === 'request' ? 'requests' : unit }
    })
  const limits = readMembers(left, strict ? 'r' : 'ra', strict ? 't' : 'tw', 0).map(
    ({ params, quota, ...state }) => ({
      ...state,
      available: quota,
      unit: policies.find(({ name }) => name === state.name)?.unit ?? 'requests',
      cost: naturals(params, 'c').find((cost) => cost >= 0),
    }),
  )
  const waits = limits.flatMap(({ available, windowMs, unit }) =>
    available || unit === 'concurrent-requests' ? [] : (windowMs ?? []),
  )
  return {
    source: limits[0] || policies[0] ? 'ratelimit' : undefined,
    limits: limits.slice(0, MAX_LIMITS),
    policies,
    waitMs: waits[0] === undefined ? undefined : Math.max(...waits),
  }
}

type Member = Omit<RateLimitPolicy, 'unit'> & { readonly params: Parameters }

/** The members of a field, with their quota in one of `quotaKeys` and their seconds, if any, in one of `windowKeys`. */
function readMembers(
  text: string | null,
  quotaKeys: string,
  windowKeys: string,
  minSeconds: number,
): Member[] {
  const members = new Map<string, Member>()
  for (const { type, value, params } of (text && text.length <= MAX_FIELD && parseList(text)) || []) {
    // Of two that say the same the stricter counts.
    const quota = Math.min(...naturals(params, quotaKeys))
    const seconds = Math.max(...naturals(params, windowKeys))
    const partition = params.get('pk')
    if (
      (type !== 'string' && type !== 'token') ||
      !(quota < Infinity) ||
      !(seconds >= minSeconds || seconds === -Infinity) ||
      (partition && partition.type !== 'bytes')
    )
      continue
    const name = value.slice(0, MAX_NAME)
    const same = members.get(name)
    members.set(name, {
      name,
      quota: Math.min(quota, same?.quota ?? quota),
      windowMs: seconds < 0 ? same?.windowMs : Math.max(seconds * 1000, same?.windowMs ?? 0),
      partition: partition?.value.slice(0, MAX_NAME),
      params,
    })
  }
  return [...members.values()]
}

/** The values of those one-letter `keys` that there are; NaN for one that is not an Integer from 0. */
function naturals(params: Parameters, keys: string): number[] {
  return Array.from(keys).flatMap((key) => {
    const item = params.get(key)
    return item ? (item.type === 'integer' && item.value >= 0 ? item.value : NaN) : []
  })
}
