import { createLruMap } from './lru-map.ts'

export interface Decision {
  allowed: boolean
  /** 0 if allowed; else waiting this long, a whole number, is enough. */
  retryAfterMs: number
  /** Whole tokens left. */
  remaining: number
}

export interface KeyedLimiter {
  /** Takes one token of `key`, if there is one. */
  take(key: string): Decision
}

interface TokenBucketOptions {
  ratePerSecond: number
  burst: number
  /** Keys beyond this are forgotten, the least recent first; a forgotten key has a full bucket again. */
  maxKeys: number
  /** Milliseconds since 1970. */
  now: () => number
}

/** A billionth of a token is given away, so that the rounding of fractions costs nobody a millisecond. */
const WHOLE = 1 - 1e-9

/** One token bucket per key, refilled by the time that passed whenever it is asked. */
export function createTokenBucket({ ratePerSecond, burst, maxKeys, now }: TokenBucketOptions): KeyedLimiter {
  const buckets = createLruMap<string, { tokens: number; at: number }>(maxKeys)
  const perMs = ratePerSecond / 1000

  return {
    take(key) {
      const at = now()
      const before = buckets.get(key) ?? { tokens: burst, at }
      // The wall clock may be set back.
      const elapsedMs = Math.max(0, at - before.at)
      const filled = Math.min(burst, before.tokens + elapsedMs * perMs)
      const allowed = filled >= WHOLE
      const tokens = allowed ? Math.max(0, filled - 1) : filled
      // Also when refused: the refill goes on from here, even where the clock was set back.
      buckets.set(key, { tokens, at })
      return {
        allowed,
        retryAfterMs: allowed ? 0 : Math.ceil((WHOLE - tokens) / perMs),
        remaining: Math.floor(tokens),
      }
    },
  }
}
