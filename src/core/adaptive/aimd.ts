import type { RateStrategy } from './rate-strategy.ts'
import { checkAbove, checkFrom, checkUpTo } from '../limit/rules/check-number.ts'

export interface AimdOptions {
  /** Events per second that the rate gains in a second in which all of it is used, above 0. */
  increase: number
  /** What a decrease leaves of the rate: above 0, up to 1. @default 0.7 */
  decrease?: number | undefined
  /**
   * For so many ms after a decrease, from 0, the rate stays: what ends then was mostly sent before, and many failures of one
   * moment are one decrease. @default 1000
   */
  holdMs?: number | undefined
  /** So many failures in a row make a decrease; from 1. @default 1 */
  minFailures?: number | undefined
  /** After so many successes in a row, from 1, each makes an increase. @default 1 */
  minSuccesses?: number | undefined
}

/**
 * Additive increase, multiplicative decrease. A success adds `increase` / rate, but at most `increase`: since as many succeed in
 * a second as the rate says, that is `increase` per second, however high the rate; where less of it is used the rate rises
 * more slowly. A failure multiplies the rate by `decrease`.
 *
 * @throws RangeError for an option that is out of range.
 * @see seed 001, "Adaptive Throttling"
 */
export function aimd({
  increase,
  decrease = 0.7,
  holdMs = 1000,
  minFailures = 1,
  minSuccesses = 1,
}: AimdOptions): RateStrategy {
  checkAbove(0, 'increase', increase)
  checkAbove(0, 'decrease', decrease)
  checkUpTo(1, 'decrease', decrease)
  checkFrom(0, 'holdMs', holdMs)
  checkFrom(1, 'minFailures', minFailures)
  checkFrom(1, 'minSuccesses', minSuccesses)
  let heldUntil = -Infinity
  let failures = 0
  let successes = 0

  return (ratePerSecond, isSuccess, now) => {
    if (now < heldUntil) return ratePerSecond
    successes = isSuccess ? successes + 1 : 0
    failures = isSuccess ? 0 : failures + 1
    if (successes >= minSuccesses) return ratePerSecond + increase / Math.max(ratePerSecond, 1)
    if (failures < minFailures) return ratePerSecond
    failures = 0
    heldUntil = now + holdMs
    return ratePerSecond * decrease
  }
}
