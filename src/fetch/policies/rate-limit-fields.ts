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
   * Whether to spread requests evenly at the rate of `RateLimit-Policy`, if that is at least 1 per second and 10 per window.
   * Otherwise everything available is sent at once.
   * @default true
   */
  spread?: boolean | undefined
}

const SILENT = { policies: [], quota: [] }

/**
 * A policy that keeps the limits that a server names in `RateLimit` and `RateLimit-Policy`, so that it need not refuse. It sends no
 * more than is available within the window, and nothing until the window ends if nothing is available.
 *
 * A page can read these fields from another origin only if they are exposed.
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
  /** The earliest instant of the next request, if requests are spread. */
  nextAt: number
  /** What was left by the last response, and the instant of that response. */
  said: number
  saidAt: number
  /** From this instant on one request may be sent, whatever the policy says: at `until`, then `maxGateMs` after the last one. */
  askAt: number
  /** The most that was ever available before a request; 0 if unknown. */
  peak: number
  /** From its policy; 0 if unknown. */
  readonly quota: number
  readonly windowMs: number
  /** Ms from one request to the next if they are spread, or else 0. */
  readonly intervalMs: number
}

/** Maximum number of limits to keep. */
const MAX_LIMITS = 8
/** Requests to keep unused, because the gate closes for the whole window when none is left. */
const RESERVE = 2
/** Requests with longer intervals are not spread, because available requests would wait too long. */
const MAX_INTERVAL_MS = 1000
/** A smaller quota is not spread, because the reserve would be a large part of it. */
const MIN_SPREAD = 10
/** Maximum number of own requests to remember. */
const MAX_COUNTED = 1000

/**
 * Keeps the limits that `read` finds in responses. Until the window of a response ends, it sends no more than that response says
 * is available. After that it sends no more than the policy allows in any window of its length, counted from the responses. So
 * neither a token bucket nor an aligned or sliding window of that size refuses. A request whose response names no limit is not counted.
 *
 * @param spread whether to spread requests at the rate of the policy.
 * @param maxHeldMs the maximum time that calls are held back without a refusal.
 * @param silent the members of the snapshot while nothing is known.
 */
export function followLimits(
  read: (headers: Headers, wallMs: number) => RateLimitReading,
  spread: boolean,
  maxHeldMs: number,
  silent: object,
): Policy {
  return (bucket) => {
    /** Created for the first reading, because most servers name no limits. */
    let readings: WeakMap<Response, RateLimitReading> | undefined
    const limits = new Map<string, Limit>()
    /** For each request, by sequence number, the latest instant at which the server may have counted it. */
    const counted = new Map<number, number>()
    /** For each request in flight, by sequence number, when it was sent. The server may not have counted it yet. */
    const flying = new Map<number, number>()
    let policies: readonly RateLimitPolicy[] = []
    /** Maximum number of requests in flight. */
    let places = Infinity
    /** Sequence numbers: of the last request, of the newest whose response named limits, of the last before a reset. */
    let last = 0
    let newest = 0
    let resetAfter = 0
    let shown: object | undefined
    let shownUntil = 0

    function limitReadyAt(
      { available, until, nextAt, askAt, peak, quota, windowMs, intervalMs }: Limit,
      now: number,
    ): number {
      if (until > now) return available < 1 ? until : Math.min(nextAt, until)
      const most = Math.min(peak ? Math.max(peak - (intervalMs && RESERVE), 1) : quota, quota, MAX_COUNTED)
      // The server may have counted less: the first request after its window finds out.
      if (!windowMs || counted.size < most) return now
      return Math.min([...counted.values()].sort((a, b) => b - a)[most - 1]! + windowMs, askAt)
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
        // The server may have counted requests in flight in any order.
        const isOverlapped = old && available > old.said && call.sentAt < old.saidAt
        const latest = isOverlapped ? old : { said: available, saidAt: now }
        const left = latest.said - flying.size
        const most = isThrottled ? 0 : available + 1
        if (old) Object.assign(old, latest, { peak: Math.max(old.peak, most) })
        if (old && !isNewer) {
          // This request was subtracted as in flight, but the server had already counted it.
          if (isOverlapped) old.available++
          // A response to an older request can only lower what is available.
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
          askAt: now,
          peak: old?.quota === quota ? old.peak : most,
          available: left,
          // If none is left, the gate closes instead.
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
        // A cached response has outdated fields.
        if (!source || parseInt(response.headers.get('age') ?? '') > 0) return undefined
        ;(readings ??= new WeakMap()).set(response, reading)
        return { source, waitMs, detail: { limits, policies } }
      },
      readyAt,
      isIdle: (now) => readyAt(now) <= now,
      sent({ sequence }, now) {
        last = sequence
        flying.set(sequence, now)
        for (const limit of limits.values()) {
          if (limit.until <= now) limit.askAt = now + bucket.options.maxGateMs
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
        // Closes the gate, so that calls that would wait too long are given up.
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
