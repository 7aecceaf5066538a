import { createKeyedLimiter, systemClock, tokenBucket, type Decision, type KeyedLimiter } from 'lull/core'
import type { Settings } from './api.ts'
import { createLruMap } from './lru-map.ts'

interface GateOptions {
  settings: Settings
  maxKeys: number
  /** Milliseconds since 1970. */
  now: () => number
}

/** The settings of some keys, and a limit for each key. */
export interface Gate {
  settings(): Settings
  /** Takes one token of `key` if there is one. Otherwise `retryAfterMs` is a whole number. */
  take(key: string): Decision
  /** Changes settings. A new rate or burst refills the bucket of every key. */
  change(changes: Partial<Settings>): void
  /** Refuses `key` regardless of its bucket, for `ms` from its next call of `take`; 0 ends the refusal. */
  refuse(key: string, ms: number): void
}

export function createGate({ settings: initial, maxKeys, now }: GateOptions): Gate {
  let settings = initial
  const bucketsOf = ({ ratePerSecond, burst }: Settings): KeyedLimiter =>
    createKeyedLimiter(tokenBucket({ ratePerSecond, burst }), { maxKeys, clock: { ...systemClock, now } })
  let buckets = bucketsOf(settings)
  const refusals = createLruMap<string, { ms: number; until?: number }>(maxKeys)

  return {
    settings: () => settings,
    change(changes) {
      const { ratePerSecond, burst } = settings
      settings = { ...settings, ...changes }
      if (settings.ratePerSecond !== ratePerSecond || settings.burst !== burst) {
        buckets = bucketsOf(settings)
      }
    },
    refuse: (key, ms) => refusals.set(key, { ms }),
    take(key): Decision {
      const refusal = refusals.get(key)
      if (refusal) {
        refusal.until ??= now() + refusal.ms
        const retryAfterMs = Math.ceil(refusal.until - now())
        if (retryAfterMs > 0) return { allowed: false, retryAfterMs, remaining: 0 }
      }
      const decision = buckets.decide(key)
      return { ...decision, retryAfterMs: wholeMs(decision.retryAfterMs) }
    },
  }
}

/** Rounds up to whole ms, but drops a rounding error: it must not cost the client another ms. */
const wholeMs = (ms: number): number => Math.max(Math.ceil(ms - 1e-6), 0)
