import { createWaitingLimiter, type WaitingLimiter } from '../limit/waiting-limiter.ts'
import type { Rule } from '../limit/rules/rule.ts'
import { check, checkNumberFrom, checkPart, checkType } from '../shared/check.ts'
import type { Timers } from '../time/clock.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { createLatencyPercentile } from './latency-percentile.ts'
import { aimd, type AimdOptions, type RateStrategy } from './rate-strategies.ts'

/** The part of `configure` that this limiter calls. */
export interface RateChange {
  ratePerSecond?: number | undefined
}

export interface AdaptiveLimiterOptions extends Omit<AimdOptions, 'increase'> {
  /** Minimum rate, in events per second, above 0. @default max / 100 */
  min?: number | undefined
  /** Maximum rate, in events per second, finite. @default the limiter's rate at creation */
  max?: number | undefined
  /** Replaces `aimd` (additive increase, multiplicative decrease); its options are then ignored. @default aimd */
  strategy?: RateStrategy | undefined
  /** Events per second that the rate gains in a second of success. @default max / 60 */
  increase?: number | undefined
  /** Damps swings: the time, in ms, in which the rate covers half of the way to the strategy's. At least 0: at once. @default 0 */
  dampingMs?: number | undefined
  /** Each increase varies by up to this part, 0 to 1, so that many clients do not rise in step. @default 0.1 */
  jitter?: number | undefined
  /**
   * The percentile of the recent latencies that a new one is compared with, above 0, at most 1. A high one
   * rises with a slowly growing backlog, and so hides it. @default 0.5
   */
  percentile?: number | undefined
  /** A latency above `tolerance` times that percentile is a failure. At least 1. @default 2 */
  tolerance?: number | undefined
  /** Returns a number of at least 0 and below 1, for the jitter. @default Math.random */
  random?: (() => number) | undefined
  /** @default the limiter's, or systemClock */
  clock?: Timers | undefined
}

/** A limiter whose rate follows the outcomes of the calls. */
export interface AdaptiveLimiter<Changes = RateChange> extends WaitingLimiter<Changes> {
  /** The current rate in events per second, between `min` and `max`. */
  readonly ratePerSecond: number
  /** Reports that a call succeeded. */
  success: () => void
  /** Reports that a call was throttled or failed. */
  failure: () => void
  /**
   * Reports that a call took `ms`: a failure if that is much longer than recent calls took, else a success. The first 20
   * calls are successes. @throws TypeError for anything but a number, RangeError for one below 0 or NaN.
   */
  latency: (ms: number) => void
}

/** The limiter is reconfigured when its rate has changed by this part, because that may move every waiting call. */
const STEP = 0.001

/**
 * A limiter that finds the rate that the server can take. Report `success` or `failure` of each call, or its `latency`. Between
 * `min` and `max`, the rate rises slowly with successes and falls quickly with failures (`aimd`), or follows another `strategy`.
 *
 * Changes the rate of the given limiter, or of a new one with the given rule. Continues from a `ratePerSecond` that `configure`
 * sets. Sets no timer of its own. O(1) per report; O(n) with n waiting calls when the rate changes.
 *
 * @throws RangeError for an option that is out of range; TypeError for anything but a waiting limiter or a rule, and for a `strategy`
 * or `random` that is not a function.
 */
export function createAdaptiveLimiter<Changes extends RateChange>(
  limited: WaitingLimiter<Changes> | Rule<Changes>,
  options: AdaptiveLimiterOptions = {},
): AdaptiveLimiter<Changes> {
  if (!(limited instanceof Object))
    throw new TypeError(`Expected a waiting limiter or a rule, got ${String(limited)}`)
  const limiter = 'wait' in limited ? limited : createWaitingLimiter(limited, { clock: options.clock })
  const initial = limiter.snapshot().ratePerSecond
  const {
    max = initial,
    min = max / 100,
    increase = max / 60,
    dampingMs = 0,
    jitter = 0.1,
    percentile = 0.5,
    tolerance = 2,
    random = Math.random,
    clock = limiter.clock,
  } = options
  check(max > 0, 'max > 0', max)
  check(min > 0, 'min > 0', min)
  check(max < Infinity, 'finite max', max)
  check(min <= max, `min <= ${max}`, min)
  check(dampingMs >= 0, 'dampingMs >= 0', dampingMs)
  check(jitter >= 0, 'jitter >= 0', jitter)
  check(jitter <= 1, 'jitter <= 1', jitter)
  checkPart('percentile', percentile)
  check(tolerance >= 1, 'tolerance >= 1', tolerance)
  const { strategy = aimd({ ...options, increase }) } = options
  checkType('function', 'strategy', strategy)
  checkType('function', 'random', random)
  const time = createForwardTime(clock)
  const usual = createLatencyPercentile(percentile)
  let lastAt = time.now()
  // The strategy's rate, the rate after damping, and the limiter's rate.
  let wanted: number
  let damped: number
  let ratePerSecond: number

  const clamp = (rate: number): number => Math.min(Math.max(rate, min), max)

  function set(rate: number, at?: number): void {
    ratePerSecond = rate
    limiter.configure({ ratePerSecond } as Changes, at)
  }

  function goOnFrom(rate: number, at?: number): void {
    set((wanted = damped = clamp(rate)), at)
  }

  function report(isSuccess: boolean): void {
    const now = time.now()
    const step = strategy(wanted, isSuccess, now) - wanted
    wanted = clamp(wanted + (step > 0 ? step * (1 + jitter * (2 * random() - 1)) : step))
    const left = dampingMs === 0 ? 0 : 2 ** ((lastAt - now) / dampingMs)
    damped = wanted + (damped - wanted) * left
    lastAt = now
    const isFar = Math.abs(damped - ratePerSecond) >= ratePerSecond * STEP || damped === min || damped === max
    if (isFar && damped !== ratePerSecond) set(damped)
  }

  goOnFrom(initial)
  return {
    ...limiter,
    get ratePerSecond() {
      return ratePerSecond
    },
    success: () => report(true),
    failure: () => report(false),
    latency(ms) {
      checkNumberFrom(0, 'ms', ms)
      const limitMs = usual.value === undefined ? Infinity : usual.value * tolerance
      usual.add(ms)
      report(ms <= limitMs)
    },
    configure(changes, at) {
      const { ratePerSecond: rate = ratePerSecond } = changes
      check(rate >= 0, 'ratePerSecond >= 0', rate)
      limiter.configure({ ...changes, ratePerSecond: clamp(rate) }, at)
      if (changes.ratePerSecond !== undefined) goOnFrom(rate, at)
    },
  }
}
