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
   * Whether requests go out evenly at the rate that `RateLimit-Policy` names, if that is at least 1 per second and 10 in its
   * window. Otherwise what is available goes at once.
   * @default true
   */
  spread?: boolean | undefined
}

const SILENT = { policies: [], quota: [] }

/**
 * A policy that keeps to the limits that a server names in `RateLimit` and `RateLimit-Policy`, so that it need not refuse
 * anything: no more than is available within the window, and no request for the window if none is.
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
  /** What the server said is left, and the instant of that response. */
  said: number
  saidAt: number
  /** Whether no request has been sent since `until`. */
  mayAsk: boolean
  /** The most that the server had available before a request; 0 if it never said. */
  readonly peak: number
  /** Of its policy; 0 if that is not known. */
  readonly quota: number
  readonly windowMs: number
  /** Ms from one request to the next if they are spread, or else 0. */
  readonly intervalMs: number
}

/** More are not kept. */
const MAX_LIMITS = 8
/** Requests that are not used up: if the server says that none is left, the gate closes for the whole window. */
const RESERVE = 2
/** A policy with longer intervals is not spread: nobody waits so long for what is available. */
const MAX_INTERVAL_MS = 1000
/** Of a smaller quota nothing is spared: the reserve would be a large part of it. */
const MIN_SPREAD = 10
/** By then, a request without a response has been counted by the server. */
const SILENT_MS = 10_000
/** So many of our own requests are kept account of. */
const MAX_COUNTED = 1000

/**
 * Keeps to the limits that `read` finds in responses. Until the window that a response names is over, no more is sent than
 * it says is available. After that no more than the policy allows in any window of its length, counted from the
 * responses: then neither a token bucket nor an aligned or a sliding window of that size refuses any. A request whose
 * response does not name a limit takes nothing of it.
 *
 * @param spread whether what is available goes out at the pace of its policy.
 * @param maxCloseMs the longest that the gate closes for before a refusal.
 * @param silent the members of the snapshot if nothing is known.
 */
export function followLimits(
  read: (headers: Headers, wallMs: number) => RateLimitReading,
  spread: boolean,
  maxCloseMs: number,
  silent: object,
): Policy {
  return (bucket) => {
    const readings = new WeakMap<Response, RateLimitReading>()
    const limits = new Map<string, Limit>()
    /** By the number of the request: the instant at which the server has counted it at the latest. */
    const counted = new Map<number, number>()
    /** Those in flight, by their numbers, and when they were sent: the server may not have counted them yet. */
    const flying = new Map<number, number>()
    let policies: readonly RateLimitPolicy[] = []
    /** Requests that may be in flight. */
    let places = Infinity
    /** The number of the last request, of the newest whose response named limits, and of the last before a reset. */
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
      // The server may have more than this account says: the first request after its window asks.
      if (!windowMs || mayAsk || counted.size < most) return now
      return [...counted.values()].sort((a, b) => b - a)[most - 1]! + windowMs
    }

    function readyAt(now: number): number {
      let at = bucket.inFlight() < places ? now : Infinity
      for (const limit of limits.values()) at = Math.max(at, limitReadyAt(limit, now))
      return at
    }

    function count(sequence: number, at: number): void {
      if (limits.size > 0) counted.set(sequence, at)
      dropOldest(counted, MAX_COUNTED)
      shown = undefined
    }

    function learn(reading: RateLimitReading, call: Call, isThrottled: boolean, now: number): void {
      for (const [sequence, sentAt] of flying) if (now - sentAt > SILENT_MS) flying.delete(sequence)
      const uncounted = flying.size + bucket.others.inFlight
      const isNewer = call.sequence > newest
      if (reading.policies[0]) ({ policies } = reading)
      if (isNewer && reading.limits[0]) newest = call.sequence
      for (const { name, available = Infinity, windowMs, unit } of reading.limits) {
        const most = Math.max(available + bucket.inFlight(), 1)
        if (unit === 'concurrent-requests' && (isNewer || most < places)) places = most
        if (unit !== 'requests' || available === Infinity || windowMs === undefined) continue
        const old = limits.get(name)
        // Of requests that were in flight at the same time, the server may have counted either one first.
        const isOverlapped = old && available > old.said && call.sentAt < old.saidAt
        const latest = isOverlapped ? old : { said: available, saidAt: now }
        const left = latest.said - uncounted
        if (old) Object.assign(old, latest)
        if (old && !isNewer) {
          // It was in flight, and is not: the server counted it before it said what is left.
          if (isOverlapped) old.available++
          // What was said to an older request may only lower.
          if (left >= old.available) continue
        }

        const policy = policies.find((one) => one.name === name) ?? (policies[1] ? undefined : policies[0])
        const { quota = 0, windowMs: policyMs = 0 } = policy ?? {}
        const isSpread = spread && quota >= MIN_SPREAD && policyMs <= quota * MAX_INTERVAL_MS
        const intervalMs = isSpread ? policyMs / quota : 0
        const peak = old?.quota === quota ? old.peak : 0
        limits.set(name, {
          ...latest,
          quota,
          windowMs: policyMs,
          intervalMs,
          mayAsk: true,
          peak: isThrottled ? peak : Math.max(peak, available + 1),
          available: left,
          // None left closes the gate.
          until: latest.said ? now + Math.min(windowMs, bucket.options.maxGateMs) : now,
          nextAt: now + (RESERVE + 1 - Math.max(left, 0)) * intervalMs,
        })
        dropOldest(limits, MAX_LIMITS)
      }
    }

    return {
      read(response, wallMs) {
        const reading = read(response.headers, wallMs)
        const { source, waitMs, limits, policies } = reading
        // What a cached response says is of another one.
        if (!source || Number(response.headers.get('age')) > 0) return undefined
        readings.set(response, reading)
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
        const reading = sequence > resetAfter && response && readings.get(response)
        const { waitMs = 0, source = 'ratelimit', limits: said = [] } = reading || {}
        const isThrottled = kind === 'throttled'
        if (reading) learn(reading, call, isThrottled, now)
        count(sequence, now)
        if (isThrottled || (kind === 'passed' && !said[0])) counted.delete(sequence)
        const isClosing = waitMs > 0 && waitMs <= maxCloseMs && said.some(({ available }) => available === 0)
        if (!isThrottled && isClosing) bucket.close(waitMs, source, call)
        // Nobody waits so long: what waits is given up as at a closed gate.
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
