import type { RateStrategy } from './rate-strategy.ts'
import { checkAbove, checkFrom, checkUpTo } from '../limit/rules/check-number.ts'

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
 * The seed wants more than target + 0.05 to succeed before the rate rises: with a target of 0.95 and above it never would. So
 * all of them are enough here.
 *
 * @throws RangeError for an option that is out of range.
 * @see seed 001, "Self-throttling"
 */
export function successRatio({
  target = 0.95,
  margin = 0.05,
  intervalMs = 10_000,
  minCalls = 10,
  decrease = 0.9,
  increase = 1.05,
}: SuccessRatioOptions = {}): RateStrategy {
  checkAbove(0, 'target', target)
  checkUpTo(1, 'target', target)
  checkFrom(0, 'margin', margin)
  checkAbove(0, 'intervalMs', intervalMs)
  checkFrom(1, 'minCalls', minCalls)
  checkAbove(0, 'decrease', decrease)
  checkUpTo(1, 'decrease', decrease)
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
