import { createKeyedLimiter, systemClock, tokenBucket, type Decision, type KeyedLimiter } from 'lull/core'
import type { Settings } from './api.ts'
import { createLruMap } from './lru-map.ts'

interface GateOptions {
  settings: Settings
  maxKeys: number
  /** Milliseconds since 1970. */
  now: () => number
}

/** A set of settings, and the limits that it puts on each of the keys that it holds for. */
export interface Gate {
  settings(): Settings
  /** Takes one token of `key`, if there is one. If not, `retryAfterMs` is a whole number. */
  take(key: string): Decision
  /** Another rate or burst gives every key a full bucket. */
  change(changes: Partial<Settings>): void
  /** Refuses `key` for `ms`, whatever its bucket holds; 0 ends that. */
  refuse(key: string, ms: number): void
}

export function createGate({ settings: initial, maxKeys, now }: GateOptions): Gate {
  let settings = initial
  const bucketsOf = (limits: Settings): KeyedLimiter =>
    createKeyedLimiter(tokenBucket(limits), { maxKeys, clock: { ...systemClock, now } })
  let buckets = bucketsOf(settings)
  const refusedUntil = createLruMap<string, number>(maxKeys)

  return {
    settings: () => settings,
    change(changes) {
      const { ratePerSecond, burst } = settings
      settings = { ...settings, ...changes }
      if (settings.ratePerSecond !== ratePerSecond || settings.burst !== burst) {
        buckets = bucketsOf(settings)
      }
    },
    refuse: (key, ms) => refusedUntil.set(key, now() + ms),
    take(key): Decision {
      const refusedMs = Math.ceil((refusedUntil.get(key) ?? 0) - now())
      if (refusedMs > 0) return { allowed: false, retryAfterMs: refusedMs, remaining: 0 }
      const decision = buckets.decide(key)
      return { ...decision, retryAfterMs: wholeMs(decision.retryAfterMs) }
    },
  }
}

/** Rounding may leave a billionth of a millisecond to wait, which is no reason to send the client away for one more. */
const wholeMs = (ms: number): number => Math.max(Math.ceil(ms - 1e-6), 0)
