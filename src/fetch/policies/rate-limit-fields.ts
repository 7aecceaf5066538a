import {
  readRateLimitFields,
  type RateLimitPolicy,
  type RateLimitReading,
} from '../headers/rate-limit-fields.ts'
import { SILENT_MS, type Call } from '../kernel/call.ts'
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

/** One limit of the server. */
interface Limit {
  /** Requests that may be sent before `until`. */
  available: number
  readonly until: number
  /** The instant from which the next may be sent, if they are spread. */
  nextAt: number
  /** What the server said was left, and the instant of that response. */
  said: number
  saidAt: number
  /** Whether no request has been sent since `until`. */
  mayAsk: boolean
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
/** The most of our own requests that are remembered. */
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
    /** Made at the first: most servers name no limits. */
    let readings: WeakMap<Response, RateLimitReading> | undefined
    const limits = new Map<string, Limit>()
    /** By the number of the request: the latest instant at which the server has counted it. */
    const counted = new Map<number, number>()
    /** When each request in flight was sent, by its number: the server may not have counted it yet. */
    const flying = new Map<number, number>()
    let policies: readonly RateLimitPolicy[] = []
    /** The most requests in flight. */
    let places = Infinity
    /** The numbers of the last request, of the newest whose response named limits, and of the last before a reset. */
    let last = 0
    let newest = 0
    let resetAfter = 0
    let shown: object | undefined
    let shownUntil = 0

    function limitReadyAt(
      { available, until, nextAt, mayAsk, peak, quota, windowMs, intervalMs }: Limit,
      now: number,
    ): number {
      if (until > now) return available < 1 ? until : Math.min(nextAt, until)
      const most = Math.min(peak ? Math.max(peak - (intervalMs && RESERVE), 1) : quota, quota, MAX_COUNTED)
      // The server may have more than we have counted: the first request after its window finds out.
      if (!windowMs || mayAsk || counted.size < most) return now
      return [...counted.values()].sort((a, b) => b - a)[most - 1]! + windowMs
    }

    function readyAt(now: number): number {
      forgetSilent(now)
      const [oldest] = flying.values()
      let at = flying.size < places ? now : oldest! + SILENT_MS
      for (const limit of limits.values()) at = Math.max(at, limitReadyAt(limit, now))
      return at
    }

    function forgetSilent(now: number): void {
      // In the order of sending.
      for (const [sequence, sentAt] of flying) {
        if (now - sentAt < SILENT_MS) break
        flying.delete(sequence)
      }
    }

    function count(sequence: number, at: number): void {
      if (limits.size > 0) counted.set(sequence, at)
      dropOldest(counted, MAX_COUNTED)
      shown = undefined
    }

    function learn(reading: RateLimitReading, call: Call, isThrottled: boolean, now: number): void {
      forgetSilent(now)
      const isNewer = call.sequence > newest
      if (reading.policies[0]) ({ policies } = reading)
      if (isNewer && reading.limits[0]) newest = call.sequence
      for (const { name, available = Infinity, windowMs, unit } of reading.limits) {
        const free = Math.max(available + flying.size, 1)
        if (unit === 'concurrent-requests' && (isNewer || free < places)) places = free
        if (unit !== 'requests' || available === Infinity || windowMs === undefined) continue
        const old = limits.get(name)
        // The server may have counted requests that were in flight together in any order.
        const isOverlapped = old && available > old.said && call.sentAt < old.saidAt
        const latest = isOverlapped ? old : { said: available, saidAt: now }
        const left = latest.said - flying.size
        const most = isThrottled ? 0 : available + 1
        if (old) Object.assign(old, latest, { peak: Math.max(old.peak, most) })
        if (old && !isNewer) {
          // This one was counted as in flight, but the server had already subtracted it.
          if (isOverlapped) old.available++
          // The response to an older request may only lower what is available.
          if (left >= old.available) continue
        }

        const policy = policies.find((one) => one.name === name) ?? (policies[1] ? undefined : policies[0])
        const { quota = 0, windowMs: policyMs = 0 } = policy ?? {}
        const isSpread = spread && quota >= MIN_SPREAD && policyMs <= quota * MAX_INTERVAL_MS
        const intervalMs = isSpread ? policyMs / quota : 0
        limits.set(name, {
          ...latest,
          quota,
          windowMs: policyMs,
          intervalMs,
          mayAsk: true,
          peak: old?.quota === quota ? old.peak : most,
          available: left,
          // None left closes the gate.
          until: latest.said ? now + Math.min(windowMs, maxHeldMs, bucket.options.maxGateMs) : now,
          nextAt: now + (RESERVE + 1 - Math.max(left, 0)) * intervalMs,
        })
        dropOldest(limits, MAX_LIMITS)
      }
    }

    return {
      countsOthers: true,
      read(response, wallMs) {
        const reading = read(response.headers, wallMs)
        const { source, waitMs, limits, policies } = reading
        // A cached response has the fields of an older one.
        if (!source || Number(response.headers.get('age')) > 0) return undefined
        ;(readings ??= new WeakMap()).set(response, reading)
        return { source, waitMs, detail: { limits, policies } }
      },
      readyAt,
      isIdle: (now) => readyAt(now) <= now,
      sent({ sequence }, now) {
        last = sequence
        flying.set(sequence, now)
        for (const limit of limits.values()) {
          if (limit.until <= now) limit.mayAsk = false
          limit.available--
          limit.nextAt += limit.intervalMs
        }
        count(sequence, now + SILENT_MS)
      },
      ended(call, { kind, response }, now) {
        const { sequence } = call
        flying.delete(sequence)
        if (!readings) return
        const reading = sequence > resetAfter && response && readings.get(response)
        const { waitMs = 0, source = 'ratelimit', limits: said = [] } = reading || {}
        const isThrottled = kind === 'throttled'
        if (reading) learn(reading, call, isThrottled, now)
        count(sequence, now)
        if (isThrottled || (kind === 'passed' && !said[0])) counted.delete(sequence)
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
        resetAfter = last
        shown = undefined
      },
      snapshot() {
        const now = bucket.now()
        if (shown && now < shownUntil) return shown
        const toClock = bucket.clock.now() - now
        const quota: QuotaSnapshot[] = []
        let pace: PaceSnapshot | undefined
        shownUntil = Infinity
        for (const [name, { available, until, windowMs, quota: burst }] of limits) {
          if (spread && windowMs && burst)
            pace ??= { from: 'fields', ratePerSecond: (1000 * burst) / windowMs, burst }
          if (until <= now) continue
          quota.push({ name, available: Math.max(available, 0), until: until + toClock })
          shownUntil = Math.min(shownUntil, until)
        }
        return (shown = limits.size || policies[0] ? { policies, quota, ...(pace && { pace }) } : silent)
      },
    }
  }
}

function dropOldest(map: Map<unknown, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value)
}
