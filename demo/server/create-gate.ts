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
  /** Refuses `key` for `ms` regardless of its bucket; 0 ends the refusal. */
  refuse(key: string, ms: number): void
}

export function createGate({ settings: initial, maxKeys, now }: GateOptions): Gate {
  let settings = initial
  const bucketsOf = ({ ratePerSecond, burst }: Settings): KeyedLimiter =>
    createKeyedLimiter(tokenBucket({ ratePerSecond, burst }), { maxKeys, clock: { ...systemClock, now } })
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

/** Rounds up to whole ms, but drops a rounding error: it must not cost the client another ms. */
const wholeMs = (ms: number): number => Math.max(Math.ceil(ms - 1e-6), 0)
