import { systemTimers } from '../time/clock.ts'
import { createKeyedLimiter, type KeyedLimiter } from './keyed-limiter.ts'
import { checkEach } from '../shared/check.ts'
import type { Decision } from './limiter.ts'
import { tokenBucket } from './rules/token-bucket.ts'

export interface TokenBucketLimiterOptions {
  /** The instant in ms, from any origin. @default the platform's monotonic time */
  clock?: (() => number) | undefined
  /** Keys beyond this make the one used longest ago be forgotten. @default 100_000 */
  maxKeys?: number | undefined
}

/**
 * A token bucket for each key, as a class: what `createKeyedLimiter(tokenBucket({ … })).decide` returns, for users that know
 * that interface. A bucket is full at first and refills as time goes by, without a timer.
 */
export class TokenBucket {
  readonly #limiter: KeyedLimiter

  /**
   * @param capacity the most tokens in a bucket, from 0.
   * @param refillPerSec tokens that come per second, from 0.
   * @throws RangeError for numbers out of these ranges, and for `maxKeys` below 1.
   */
  constructor(
    capacity: number,
    refillPerSec: number,
    { clock = systemTimers.now, maxKeys }: TokenBucketLimiterOptions = {},
  ) {
    checkEach({ capacity, refillPerSec })
    const rule = tokenBucket({ ratePerSecond: refillPerSec, burst: capacity })
    this.#limiter = createKeyedLimiter(rule, { maxKeys, clock: { now: clock } })
  }

  /**
   * Takes `cost` tokens of `key`, from 0, if they are there.
   *
   * @throws TypeError for a cost that is not a number, RangeError for one below 0 or NaN.
   */
  allow(key: string, cost = 1): Decision {
    return this.#limiter.decide(key, cost)
  }
}
