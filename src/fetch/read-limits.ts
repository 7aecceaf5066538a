import { parseList, type Parameters } from './parse-list.ts'

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

/** The fields of a response, by their names in lower case. */
export type Fields = ReadonlyMap<string, string>

/** R142: more of either are not kept, and a longer name, unit or partition is cut. */
export const MOST_LIMITS = 8
const LONGEST_NAME = 64

/**
 * What `RateLimit` and `RateLimit-Policy` say, by draft-ietf-httpapi-ratelimit-headers-11 and, unless `strict`, by the
 * names that its pull request 166 gives to `r` and `t`. A member with a fault is as if it were absent.
 */
export function readLimits(
  fields: Fields,
  strict: boolean,
): { limits: RateLimitState[]; policies: RateLimitPolicy[] } {
  const policies = readMembers(fields.get('ratelimit-policy'), 'q', 'w', 1)
    .slice(0, MOST_LIMITS)
    .map(({ params, ...policy }) => {
      const unit = String(params.get('qu')?.value ?? 'requests').slice(0, LONGEST_NAME)
      // The draft has both.
      return { ...policy, unit: unit === 'request' ? 'requests' : unit }
    })
  const limits = readMembers(fields.get('ratelimit'), strict ? 'r' : 'ra', strict ? 't' : 'tw', 0).map(
    ({ params, quota, ...state }) => ({
      ...state,
      available: quota,
      unit: policies.find(({ name }) => name === state.name)?.unit ?? 'requests',
      cost: naturals(params, 'c').find((cost) => cost >= 0),
    }),
  )
  return { limits, policies }
}

type Member = Omit<RateLimitPolicy, 'unit'> & { readonly params: Parameters }

/** The members of a field, whose quota is in one of `quotaKeys`, and its seconds, if any, in one of `windowKeys`. */
function readMembers(text = '', quotaKeys: string, windowKeys: string, leastSeconds: number): Member[] {
  const members = new Map<string, Member>()
  for (const { type, value, params } of parseList(text) ?? []) {
    // R26, R27: of two that say the same the stricter counts.
    const quota = Math.min(...naturals(params, quotaKeys))
    const seconds = Math.max(...naturals(params, windowKeys))
    const partition = params.get('pk')
    if (
      (type !== 'string' && type !== 'token') ||
      !(quota < Infinity) ||
      !(seconds >= leastSeconds || seconds === -Infinity) ||
      (partition && partition.type !== 'bytes')
    )
      continue
    const name = value.slice(0, LONGEST_NAME)
    const same = members.get(name)
    members.set(name, {
      name,
      quota: Math.min(quota, same?.quota ?? quota),
      windowMs: seconds < 0 ? same?.windowMs : Math.max(seconds * 1000, same?.windowMs ?? 0),
      partition: partition?.value.slice(0, LONGEST_NAME),
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
