import {
  readRateLimitFields,
  type RateLimitPolicy,
  type RateLimitReading,
} from '../headers/rate-limit-fields.ts'
import type { Call } from '../kernel/call.ts'
import type { Policy } from '../policy.ts'
import type { PaceSnapshot, QuotaSnapshot } from '../snapshot.ts'

export interface RateLimitFieldsOptions {
  /**
   * Whether requests are spread evenly at the rate of `RateLimit-Policy`, if that is at least 1 per second and 10 in its window.
   * Otherwise all that is available is sent at once.
   * @default true
   */
  spread?: boolean | undefined
}

const SILENT = { policies: [], quota: [] }

/**
 * A policy that keeps the limits that a server names in `RateLimit` and `RateLimit-Policy`, before it has to refuse: no more than
 * is available within the window, and nothing until its end if nothing is.
 *
 * A page can read these fields of another origin only if they are exposed.
 *
 * @see draft-ietf-httpapi-ratelimit-headers-11
 */
export function rateLimitFields({ spread = true }: RateLimitFieldsOptions = {}): Policy {
  return followLimits((headers) => readRateLimitFields(headers), spread, Infinity, SILENT)
}

/** What the server said of one of its limits. */
interface Limit {
  /** So many requests were left at the instant `at`, and hold until `until`. */
  said: number
  readonly at: number
  readonly until: number
  /** The most that the server had available before a request; 0 if it never said. */
  peak: number
  /** Of its policy; 0 if unknown. */
  readonly quota: number
  readonly windowMs: number
  /** Ms from one request to the next if they are spread, or else 0. */
  readonly intervalMs: number
}

/** More are not kept. */
const MAX_LIMITS = 8
/** Requests that are not used: if the server says that none is left, the gate closes for the whole window. */
const RESERVE = 2
/** A policy with longer intervals is not spread: the wait for an available request would be too long. */
const MAX_INTERVAL_MS = 1000
/** A smaller quota is not spread: the reserve would be a large part of it. */
const MIN_SPREAD = 10
/** After so long the server has counted a request, even without a response. */
const SILENT_MS = 10_000
/** The most of our own requests that are remembered, but for those in flight. */
const MAX_COUNTED = 1000

/**
 * Keeps the limits that `read` finds in responses. Until the window of a response is over, it sends no more than that says is
 * available; after that no more than the policy allows in any window of its length, counted from the responses. So neither a
 * token bucket nor an aligned or sliding window of that size refuses any. A request whose response names no limit does not count.
 *
 * @param spread whether requests are spread at the rate of the policy.
 * @param maxHeldMs the longest time for which calls are held back before a refusal.
 * @param silent the members of the snapshot while nothing is known.
 */
export function followLimits(
  read: (headers: Headers, wallMs: number) => RateLimitReading,
  spread: boolean,
  maxHeldMs: number,
  silent: object,
): Policy {
  return (bucket) => {
    const readings = new WeakMap<Response, RateLimitReading>()
    const limits = new Map<string, Limit>()
    /** The latest instant at which the server counts each request, by its number: a later one than now if it is in flight. */
    const counted = new Map<number, number>()
    let policies: readonly RateLimitPolicy[] = []
    /** The most requests in flight. */
    let places = Infinity
    /** The number of the newest request whose response named limits. */
    let newest = 0
    let resetAt = -Infinity
    let shown: object | undefined
    let shownUntil = 0

    const countedAfter = (at: number): number[] => [...counted.values()].filter((one) => one > at)

    /** Requests that may be sent before `until`. */
    const leftOf = ({ said, at }: Limit): number => said - countedAfter(at).length

    function limitReadyAt(limit: Limit, now: number): number {
      const { at, until, peak, quota, windowMs, intervalMs } = limit
      if (until > now) {
        const left = leftOf(limit)
        return left < 1 ? until : Math.min(at + (RESERVE + 1 - left) * intervalMs, until)
      }
      const most = Math.min(peak ? Math.max(peak - (intervalMs && RESERVE), 1) : quota, quota, MAX_COUNTED)
      // The server may have more than we have counted: after its window a request alone finds out.
      if (!windowMs || counted.size < most || !countedAfter(now)[0]) return now
      return [...counted.values()].sort((a, b) => b - a)[most - 1]! + windowMs
    }

    function readyAt(now: number): number {
      const flying = places < Infinity ? countedAfter(now) : []
      let at = flying.length < places ? now : Math.min(...flying)
      for (const limit of limits.values()) at = Math.max(at, limitReadyAt(limit, now))
      return at
    }

    function learn(reading: RateLimitReading, call: Call, isThrottled: boolean, now: number): void {
      const flying = countedAfter(now).length
      const isNewer = call.sequence > newest
      if (reading.policies[0]) ({ policies } = reading)
      if (isNewer && reading.limits[0]) newest = call.sequence
      for (const { name, available = Infinity, windowMs, unit } of reading.limits) {
        const free = Math.max(available + flying, 1)
        if (unit === 'concurrent-requests' && (isNewer || free < places)) places = free
        if (unit !== 'requests' || available === Infinity || windowMs === undefined) continue
        const old = limits.get(name)
        const most = isThrottled ? 0 : available + 1
        if (old) {
          old.peak = Math.max(old.peak, most)
          if (available > old.said && call.sentAt < old.at) {
            // Both were in flight together, and the server had counted this one when it said less.
            counted.set(call.sequence, old.at)
            continue
          }
          // The response to an older request may only lower what is available.
          if (!isNewer && available - flying >= leftOf(old)) continue
        }

        const policy = policies.find((one) => one.name === name) ?? (policies[1] ? undefined : policies[0])
        const { quota = 0, windowMs: policyMs = 0 } = policy ?? {}
        const isSpread = spread && quota >= MIN_SPREAD && policyMs <= quota * MAX_INTERVAL_MS
        limits.set(name, {
          said: available,
          at: now,
          // None left closes the gate.
          until: available ? now + Math.min(windowMs, maxHeldMs, bucket.options.maxGateMs) : now,
          peak: old?.quota === quota ? old.peak : most,
          quota,
          windowMs: policyMs,
          intervalMs: isSpread ? policyMs / quota : 0,
        })
        if (limits.size > MAX_LIMITS) limits.delete(limits.keys().next().value!)
      }
    }

    return {
      countsOthers: true,
      read(response, wallMs) {
        const reading = read(response.headers, wallMs)
        const { source, waitMs, limits, policies } = reading
        // A cached response has the fields of an older one.
        if (!source || Number(response.headers.get('age')) > 0) return undefined
        readings.set(response, reading)
        return { source, waitMs, detail: { limits, policies } }
      },
      readyAt,
      isIdle: (now) => readyAt(now) <= now,
      sent({ sequence }, now) {
        counted.set(sequence, now + SILENT_MS)
        const [oldest] = counted
        if (counted.size > MAX_COUNTED && oldest![1] <= now) counted.delete(oldest![0])
        shown = undefined
      },
      ended(call, { kind, response }, now) {
        const reading = call.sentAt >= resetAt && response && readings.get(response)
        const { waitMs = 0, source = 'ratelimit', limits: said = [] } = reading || {}
        const isThrottled = kind === 'throttled'
        counted.set(call.sequence, now)
        if (reading) learn(reading, call, isThrottled, now)
        const isUnlimited = kind === 'passed' && !said[0]
        if (isThrottled || isUnlimited) counted.delete(call.sequence)
        // It may count in the window all the same.
        if (isUnlimited) for (const limit of limits.values()) limit.said--
        shown = undefined
        const isClosing = waitMs > 0 && waitMs <= maxHeldMs && said.some(({ available }) => available === 0)
        if (!isThrottled && isClosing) bucket.close(waitMs, source, call)
        // Waiting calls are given up as at a closed gate.
        const heldMs = bucket.inFlight() > 0 ? 0 : readyAt(now) - now
        if (heldMs > bucket.options.maxWaitMs) bucket.close(heldMs, source)
      },
      reset() {
        limits.clear()
        policies = []
        places = Infinity
        resetAt = bucket.now()
        shown = undefined
      },
      snapshot() {
        const now = bucket.now()
        if (shown && now < shownUntil) return shown
        const toClock = bucket.clock.now() - now
        const quota: QuotaSnapshot[] = []
        let pace: PaceSnapshot | undefined
        shownUntil = Infinity
        for (const [name, limit] of limits) {
          const { until, windowMs, quota: burst } = limit
          if (spread && windowMs && burst)
            pace ??= { from: 'fields', ratePerSecond: (1000 * burst) / windowMs, burst }
          if (until <= now) continue
          quota.push({ name, available: Math.max(leftOf(limit), 0), until: until + toClock })
          shownUntil = Math.min(shownUntil, until)
        }
        return (shown = limits.size || policies[0] ? { policies, quota, ...(pace && { pace }) } : silent)
      },
    }
  }
}
