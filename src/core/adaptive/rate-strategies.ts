import { check, checkPart } from '../shared/check.ts'

/**
 * Returns the new rate, in events per second, after a call that ended at `now`, an instant in ms that never goes back. `aimd`
 * and `successRatio` make one. A strategy has state: use it for one limiter.
 */
export type RateStrategy = (ratePerSecond: number, isSuccess: boolean, now: number) => number

export interface AimdOptions {
  /** Events per second that a fully used rate gains per second, above 0. */
  increase: number
  /** A decrease multiplies the rate by this: above 0, at most 1. @default 0.7 */
  decrease?: number | undefined
  /**
   * Time after a decrease in which the rate stays, in ms, at least 0. Most calls that end then were sent before, so that many
   * failures at the same time cause one decrease. @default 1000
   */
  holdMs?: number | undefined
  /** Failures in a row that cause a decrease. At least 1. @default 1 */
  minFailures?: number | undefined
  /** Successes in a row from which on each causes an increase. At least 1. @default 1 */
  minSuccesses?: number | undefined
}

/**
 * Additive increase, multiplicative decrease. A success adds `increase` / rate, but at most `increase`. At full use that is
 * `increase` per second for any rate; a rate that is partly used rises more slowly. A failure multiplies the rate by `decrease`.
 *
 * @throws RangeError for an option that is out of range.
 * @see Chiu and Jain, "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance in Computer Networks" (1989)
 */
export function aimd({
  increase,
  decrease = 0.7,
  holdMs = 1000,
  minFailures = 1,
  minSuccesses = 1,
}: AimdOptions): RateStrategy {
  check(increase > 0, 'increase > 0', increase)
  checkPart('decrease', decrease)
  check(holdMs >= 0, 'holdMs >= 0', holdMs)
  check(minFailures >= 1, 'minFailures >= 1', minFailures)
  check(minSuccesses >= 1, 'minSuccesses >= 1', minSuccesses)
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

export interface SuccessRatioOptions {
  /** The part of calls that should succeed: above 0, at most 1. @default 0.95 */
  target?: number | undefined
  /** The rate rises when the part that succeeds is at least `target` + `margin`, or 1. At least 0. @default 0.05 */
  margin?: number | undefined
  /** Interval between changes of the rate, in ms, above 0. @default 10_000 */
  intervalMs?: number | undefined
  /** Minimum number of calls in an interval to change the rate. At least 1. @default 10 */
  minCalls?: number | undefined
  /** The rate is multiplied by this after an interval with too few successes: above 0, at most 1. @default 0.9 */
  decrease?: number | undefined
  /** The rate is multiplied by this after an interval with enough successes. At least 1. @default 1.05 */
  increase?: number | undefined
}

/**
 * Changes the rate once per interval, by the part of its calls that succeeded. The first call after `intervalMs` ends it.
 *
 * @throws RangeError for an option that is out of range.
 */
export function successRatio({
  target = 0.95,
  margin = 0.05,
  intervalMs = 10_000,
  minCalls = 10,
  decrease = 0.9,
  increase = 1.05,
}: SuccessRatioOptions = {}): RateStrategy {
  checkPart('target', target)
  check(margin >= 0, 'margin >= 0', margin)
  check(intervalMs > 0, 'intervalMs > 0', intervalMs)
  check(minCalls >= 1, 'minCalls >= 1', minCalls)
  checkPart('decrease', decrease)
  check(increase >= 1, 'increase >= 1', increase)
  let endsAt: number | undefined
  let calls = 0
  let successes = 0

  return (ratePerSecond, isSuccess, now) => {
    endsAt ??= now + intervalMs
    let factor = 1
    if (now >= endsAt) {
      const ratio = successes / calls
      // Tolerates rounding: 0.9 + 0.05 is above 0.95.
      const isHigh = ratio === 1 || ratio > target + margin - 1e-9
      if (calls >= minCalls) factor = ratio < target ? decrease : isHigh ? increase : 1
      endsAt = now + intervalMs
      calls = successes = 0
    }
    calls++
    if (isSuccess) successes++
    return ratePerSecond * factor
  }
}
