import { systemTimers } from '../time/clock.ts'
import { createKeyedLimiter, type KeyedLimiter } from './keyed-limiter.ts'
import { checkEach, checkType } from '../shared/check.ts'
import type { Decision } from './limiter.ts'
import { tokenBucket } from './rules/token-bucket.ts'

export interface TokenBucketLimiterOptions {
  /** Returns the instant in ms, from any origin. @default the platform's monotonic time */
  clock?: (() => number) | undefined
  /** Above this number of keys, the least recently used one is forgotten. @default 100_000 */
  maxKeys?: number | undefined
}

/**
 * A token bucket for each key, as a class. It decides as `createKeyedLimiter(tokenBucket({ … })).decide`, for users who know this
 * interface. A bucket is full at first and refills over time, without a timer.
 */
export class TokenBucket {
  readonly #limiter: KeyedLimiter

  /**
   * @param capacity maximum number of tokens in a bucket, at least 0.
   * @param refillPerSec tokens added per second, at least 0.
   * @throws RangeError for numbers out of these ranges, and for `maxKeys` below 1; TypeError for a `clock` that is not a function.
   */
  constructor(
    capacity: number,
    refillPerSec: number,
    { clock = systemTimers.now, maxKeys }: TokenBucketLimiterOptions = {},
  ) {
    checkEach({ capacity, refillPerSec })
    checkType('function', 'clock', clock)
    const rule = tokenBucket({ ratePerSecond: refillPerSec, burst: capacity })
    this.#limiter = createKeyedLimiter(rule, { maxKeys, clock: { now: clock } })
  }

  /**
   * Takes `cost` tokens, at least 0, from the bucket of `key` if it has them. Returns the decision.
   *
   * @throws TypeError for a cost that is not a number, RangeError for one below 0 or NaN.
   */
  allow(key: string, cost = 1): Decision {
    return this.#limiter.decide(key, cost)
  }
}
