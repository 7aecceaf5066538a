import { tokenBucket } from '../core/rules/token-bucket.ts'
import { createPace, type Pace } from './pace.ts'
import { MOST_LIMITS, type RateLimitPolicy } from './read-limits.ts'
import type { RateLimitReading } from './read-rate-limit.ts'

/** What a server has said, in its RateLimit fields, of how much more it lets through. */
export interface Quota {
  /** Requests in flight that it lets be. R31 */
  readonly concurrency: number
  readonly policies: readonly RateLimitPolicy[]
  /** What is left, by policy; and until when that holds. */
  left: (now: number) => readonly QuotaLeft[]
  /** The policy that the pace follows; undefined if there is none, or nothing has been said of it for long. */
  estimate: (now: number) => { readonly ratePerSecond: number; readonly burst: number } | undefined
  readyAt: (now: number) => number
  sent: (now: number) => void
  /** The instant until which nothing is left; in the past if something is. */
  opensAt: () => number
  /**
   * Takes in what was said to the request of that number, when so many of our own were in flight; `mostMs` is the longest
   * that it is believed for.
   */
  read: (reading: RateLimitReading, sequence: number, inFlight: number, mostMs: number, now: number) => void
}

interface QuotaLeft {
  readonly name: string
  readonly available: number
  /** Instant; Infinity if it was not said. */
  readonly until: number
}

interface Cap extends QuotaLeft {
  available: number
  pace: Pace | undefined
  /** What the pace follows. */
  policy: RateLimitPolicy | undefined
}

/** Requests that are not used up, so that the server need not say 0: that would close the gate for its whole window. */
const RESERVE = 2
/** A policy whose requests come at longer intervals is not spread: nobody waits so long for what is there. */
const SPREAD_MS = 1000
/** A server that has not said it for so long may not say it any more. */
const REMEMBERED_MS = 60_000

/** @param isPaced whether the pace is to follow the policies, besides what is left. */
export function createQuota(isPaced: () => boolean): Quota {
  let caps: Cap[] = []
  let newest = 0
  let concurrency = Infinity
  let policies: readonly RateLimitPolicy[] = []

  function capOf(name: string, available: number, until: number, inFlight: number, now: number): Cap {
    const policy =
      policies.find((one) => one.name === name) ?? (policies.length === 1 ? policies[0] : undefined)
    const ratePerSecond = ((policy?.quota ?? 0) / (policy?.windowMs ?? Infinity)) * 1000
    const left = Math.max(available - inFlight, 0)
    if (!isPaced() || !(ratePerSecond * SPREAD_MS >= 1000))
      return { name, available: left, until, pace: undefined, policy: undefined }
    const burst = Math.max(policy!.quota, available, 1)
    const pace = createPace(tokenBucket({ ratePerSecond, burst }), now)
    pace.take(now, burst - Math.max(available - inFlight - RESERVE, -RESERVE))
    return { name, available: left, until, pace, policy }
  }

  return {
    get concurrency() {
      return concurrency
    },
    get policies() {
      return policies
    },
    estimate(now) {
      const policy = caps.find(({ pace, until }) => pace && until + REMEMBERED_MS > now)?.policy
      return policy && { ratePerSecond: (policy.quota / policy.windowMs!) * 1000, burst: policy.quota }
    },
    left: (now) => caps.filter(({ until }) => until > now),
    opensAt: () => Math.max(...caps.map(({ available, until }) => (available < 1 ? until : -Infinity))),
    readyAt(now) {
      let at = now
      for (const { available, until, pace } of caps) {
        if (until <= now) continue
        if (available < 1) at = Math.max(at, until)
        else if (pace) at = Math.max(at, Math.min(pace.readyAt(now), until))
      }
      return at
    },
    sent(now) {
      for (const cap of caps) {
        cap.available--
        cap.pace?.take(now)
      }
    },
    read(reading, sequence, inFlight, mostMs, now) {
      if (reading.policies.length > 0) policies = reading.policies
      const isNewer = sequence > newest
      if (isNewer && reading.limits.length > 0) {
        newest = sequence
        caps = caps.filter(({ until }) => until > now)
      }
      for (const { name, available, windowMs, unit } of reading.limits) {
        if (unit === 'concurrent-requests') {
          const places = Math.max((available ?? Infinity) + inFlight, 1)
          if (isNewer || places < concurrency) concurrency = places
          continue
        }
        if (available === undefined || windowMs === undefined || (available > 0 && unit !== 'requests'))
          continue
        // None left closes the gate; the rest of this is about some.
        if (available === 0) continue
        const cap = capOf(name, available, now + Math.min(windowMs, mostMs), inFlight, now)
        const index = caps.findIndex((one) => one.name === name)
        const known = caps[index]
        // R33: an older answer may only lower.
        if (!known) caps = [...caps, cap].slice(-MOST_LIMITS)
        else if (isNewer || cap.available < known.available) caps[index] = cap
      }
    },
  }
}
