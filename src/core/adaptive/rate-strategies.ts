import { checkAbove, checkFrom, checkPart } from '../shared/check.ts'

/**
 * How a rate follows what becomes of the calls: returns the rate, in events per second, after a call that has ended `now`, an
 * instant in ms that never goes back. `aimd` and `successRatio` make one. It serves one limiter.
 */
export type RateStrategy = (ratePerSecond: number, isSuccess: boolean, now: number) => number

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
 * @see Chiu and Jain, "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance in Computer Networks" (1989)
 */
export function aimd({
  increase,
  decrease = 0.7,
  holdMs = 1000,
  minFailures = 1,
  minSuccesses = 1,
}: AimdOptions): RateStrategy {
  checkAbove(0, 'increase', increase)
  checkPart('decrease', decrease)
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

export interface SuccessRatioOptions {
  /** The part of the calls that should succeed: above 0, up to 1. @default 0.95 */
  target?: number | undefined
  /** The rate rises if so much more succeed, but at the latest if all do; from 0. @default 0.05 */
  margin?: number | undefined
  /** How often the rate is set, in ms, above 0. @default 10_000 */
  intervalMs?: number | undefined
  /** With fewer calls in an interval, from 1, the rate stays. @default 10 */
  minCalls?: number | undefined
  /** What an interval of too few successes leaves of the rate: above 0, up to 1. @default 0.9 */
  decrease?: number | undefined
  /** How many times the rate an interval of enough successes makes it, from 1. @default 1.05 */
  increase?: number | undefined
}

/**
 * Tunes a rate by the part of calls that succeeded in an interval, whatever each of them says. An interval ends with the first
 * call after its time is over.
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
  checkFrom(0, 'margin', margin)
  checkAbove(0, 'intervalMs', intervalMs)
  checkFrom(1, 'minCalls', minCalls)
  checkPart('decrease', decrease)
  checkFrom(1, 'increase', increase)
  let endsAt: number | undefined
  let calls = 0
  let successes = 0

  return (ratePerSecond, isSuccess, now) => {
    endsAt ??= now + intervalMs
    let factor = 1
    if (now >= endsAt) {
      const ratio = successes / calls
      if (calls >= minCalls)
        factor = ratio < target ? decrease : ratio >= Math.min(target + margin, 1) ? increase : 1
      endsAt = now + intervalMs
      calls = successes = 0
    }
    calls++
    if (isSuccess) successes++
    return ratePerSecond * factor
  }
}
