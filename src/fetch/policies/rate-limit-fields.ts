import {
  NOTHING_READ,
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
 * A page can read these headers from another origin only if they are exposed.
 *
 * @see draft-ietf-httpapi-ratelimit-headers-11
 */
export function rateLimitFields({ spread = true }: RateLimitFieldsOptions = {}): Policy {
  return followLimits((headers) => readRateLimitFields(headers), spread)
}

/** One limit of the server. */
interface Limit {
  /** The number of the last request that named it, what was left by it, and when its response came. */
  readonly sequence: number
  readonly said: number
  readonly saidAt: number
  /** Requests that may be sent before `until`. */
  available: number
  readonly until: number
  /** From this instant on one request may be sent, whatever the policy says: at `until`, then `maxGateMs` after the last one. */
  askAt: number
  /** The end of the latest window whose first response has come. */
  endsAt: number | undefined
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
 * If the length of the window is unknown, no more than the quota is in flight then (one, if none was left), until a response names
 * no limit.
 *
 * @param spread whether to spread requests at the rate of the policy.
 * @param maxLegacyMs the maximum time that older headers delay calls without a refusal.
 * @param silent the members of the snapshot while nothing is known.
 */
export function followLimits(
  read: (headers: Headers, wallMs: number) => RateLimitReading,
  spread: boolean,
  maxLegacyMs: number = Infinity,
  silent: object = SILENT,
): Policy {
  return (bucket) => {
    const readings = new WeakMap<Response, RateLimitReading>()
    const limits = new Map<string, Limit>()
    /** Requests in flight, in the order of sending. The server may not have counted them yet. */
    const flying = new Set<Call>()
    /** For each request before, the latest instant at which the server may have counted it, in ascending order. */
    const counted: number[] = []
    let policies: readonly RateLimitPolicy[] = []
    /** Maximum number of requests in flight, and the instant of the response that named it. */
    let places = Infinity
    let placesAt = -Infinity
    let resetAt = -Infinity
    /** When the last request was sent whose response names no limit. */
    let unnamedAt = -Infinity
    let shown: object | undefined
    let shownUntil = 0

    function readyAt(now: number): number {
      forgetSilent(now)
      const [oldest] = flying
      const silentAt = oldest ? oldest.sentAt + SILENT_MS : now
      let latest = flying.size < places ? now : silentAt
      for (const { saidAt, available, until, askAt, peak, quota, windowMs, intervalMs } of limits.values()) {
        let at = now
        // A small token bucket never has as many as the reserve.
        const kept = Math.min(RESERVE, peak - 1)
        if (until > now)
          at = available < 1 ? until : Math.min(saidAt + (kept + 1 - available) * intervalMs, until)
        // The server may have counted less: the first request after its window finds out.
        else if (windowMs || (quota && until > unnamedAt)) {
          const most = ((windowMs && peak) || Infinity) - (intervalMs && kept)
          const free = Math.min(most, quota, MAX_COUNTED) - flying.size
          at = Math.min(free < 1 ? silentAt : (counted.at(-free) ?? -Infinity) + windowMs, askAt)
        }
        latest = Math.max(latest, at)
      }
      return latest
    }

    function forgetSilent(now: number): void {
      for (const call of flying) {
        if (now - call.sentAt < SILENT_MS) break
        flying.delete(call)
        count(call.sentAt + SILENT_MS)
      }
    }

    function count(at: number): void {
      if (counted.push(at) > MAX_COUNTED) counted.shift()
    }

    return {
      countsOthers: true,
      read(response, wallMs) {
        const reading = read(response.headers, wallMs)
        const { source, waitMs, limits, policies } = reading
        // A cached response has outdated fields.
        if (!source || parseInt(response.headers.get('age')!) > 0) return undefined
        readings.set(response, reading)
        // A policy alone says neither what is left nor for how long.
        return { source: limits[0] && source, waitMs, detail: { limits, policies } }
      },
      readyAt,
      isIdle: (now) => readyAt(now) <= now,
      sent(call, now) {
        flying.add(call)
        for (const limit of limits.values()) {
          if (limit.until <= now) limit.askAt = now + bucket.options.maxGateMs
          limit.available--
        }
        shown = undefined
      },
      ended(call, { kind, response }, now) {
        const isThrottled = kind === 'throttled'
        const { sequence, sentAt } = call
        const {
          source = 'ratelimit',
          limits: said,
          policies: named,
        } = (sentAt >= resetAt && response && readings.get(response)) || NOTHING_READ
        const maxHeldMs = source === 'ratelimit' ? Infinity : maxLegacyMs
        forgetSilent(now)
        flying.delete(call)
        if (named[0]) policies = named
        let closedMs = 0
        for (const { name, available, windowMs: saidMs, unit } of said) {
          const { quota = 0, windowMs: policyMs = 0 }: Partial<RateLimitPolicy> =
            policies.find((one) => one.name === name || !policies[1]) ?? {}
          const old = limits.get(name)
          const evenMs = policyMs / quota
          const intervalMs = spread && quota >= MIN_SPREAD && evenMs <= MAX_INTERVAL_MS ? evenMs : 0
          // The first response of a window tells when it ends at the latest. `t` is in whole seconds, rounded up.
          const endsAt = intervalMs && available! + 1 >= quota ? now + policyMs : old?.endsAt
          const endMs = endsAt! - now
          const windowMs = endMs < saidMs! && endMs > saidMs! - 1000 ? endMs : saidMs
          if (unit === 'concurrent-requests') {
            const most = Math.max(available! + flying.size, 1)
            // A response to an older request can only lower it.
            if (most > places && sentAt < placesAt) continue
            places = most
            placesAt = now
          } else if (available === 0 && windowMs! > closedMs) closedMs = windowMs!
          if (unit !== 'requests' || available === undefined || windowMs === undefined) continue
          const left = available - flying.size
          const most = isThrottled ? 0 : available + 1
          if (old) {
            old.endsAt = endsAt
            old.peak = Math.max(old.peak, most)
            // This request was subtracted as in flight, but the server had already counted it. Others use the limit, too, if more
            // was left than this client's requests explain: then nothing is added.
            const more = available - old.said
            const isCounted = more > 0 && more <= counted.length + flying.size && sentAt < old.saidAt
            if (isCounted) {
              old.available++
              continue
            }
            // A response to an older request never raises what is available.
            if (sequence < old.sequence && left > old.available) continue
          }

          limits.set(name, {
            sequence,
            said: available,
            saidAt: now,
            available: left,
            // If none is left, the gate closes instead.
            until: available ? now + Math.min(windowMs, maxHeldMs, bucket.options.maxGateMs) : now,
            askAt: now,
            endsAt,
            peak: old?.quota === quota ? old.peak : most,
            // If none is left, and the length of the window is unknown, one request at a time asks.
            quota: available || policyMs ? quota : 1,
            windowMs: policyMs,
            intervalMs,
          })
          for (const oldest of limits.keys()) if (limits.size > MAX_LIMITS) limits.delete(oldest)
        }
        if (kind === 'passed' && !said[0]) unnamedAt = sentAt
        else if (!isThrottled) count(now)
        shown = undefined
        if (closedMs && !isThrottled && closedMs <= maxHeldMs) bucket.close(closedMs, source, call)
        // Closes the gate, so that calls that would wait too long are given up.
        const heldMs = readyAt(now) - now
        if (heldMs > bucket.options.maxWaitMs && !bucket.inFlight()) bucket.close(heldMs, source)
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
