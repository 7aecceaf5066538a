import { createLruMap } from './lru-map.ts'
import type { Settings } from './api.ts'
import { createTokenBucket, type Decision, type KeyedLimiter } from './token-bucket.ts'

interface GateOptions {
  settings: Settings
  maxKeys: number
  /** Milliseconds since 1970. */
  now: () => number
}

/** A set of settings, and the limits that it puts on each of the keys that it holds for. */
export interface Gate extends KeyedLimiter {
  settings(): Settings
  /** Another rate or burst gives every key a full bucket. */
  change(changes: Partial<Settings>): void
  /** Refuses `key` for `ms`, whatever its bucket holds; 0 ends that. */
  refuse(key: string, ms: number): void
}

export function createGate({ settings: initial, maxKeys, now }: GateOptions): Gate {
  let settings = initial
  let buckets = createTokenBucket({ ...settings, maxKeys, now })
  const refusedUntil = createLruMap<string, number>(maxKeys)

  return {
    settings: () => settings,
    change(changes) {
      const { ratePerSecond, burst } = settings
      settings = { ...settings, ...changes }
      if (settings.ratePerSecond !== ratePerSecond || settings.burst !== burst) {
        buckets = createTokenBucket({ ...settings, maxKeys, now })
      }
    },
    refuse: (key, ms) => refusedUntil.set(key, now() + ms),
    take(key): Decision {
      const retryAfterMs = Math.ceil((refusedUntil.get(key) ?? 0) - now())
      return retryAfterMs > 0 ? { allowed: false, retryAfterMs, remaining: 0 } : buckets.take(key)
    },
  }
}
