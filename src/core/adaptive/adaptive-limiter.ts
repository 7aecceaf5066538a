import type { WaitingLimiter } from '../limit/waiting-limiter.ts'
import { createWaitingLimiter } from '../limit/waiting-limiter.ts'
import type { Rule } from '../limit/rules/rule.ts'
import { checkAbove, checkFrom, checkPart, checkUpTo } from '../shared/check.ts'
import type { Clock } from '../time/clock.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { createLatencyPercentile } from './latency-percentile.ts'
import { aimd, type AimdOptions, type RateStrategy } from './rate-strategies.ts'

/** The part of `configure` that this limiter calls. */
export interface RateChange {
  ratePerSecond?: number | undefined
}

export interface AdaptiveLimiterOptions extends Omit<AimdOptions, 'increase'> {
  /** The least rate, in events per second, above 0. @default max / 100 */
  min?: number | undefined
  /** The greatest rate, finite. @default that of the limiter at first */
  max?: number | undefined
  /** In place of additive increase, multiplicative decrease: the options of `aimd` are without effect then. */
  strategy?: RateStrategy | undefined
  /** Events per second that the rate gains in a second of success. @default max / 60 */
  increase?: number | undefined
  /**
   * Damps swings: the rate has come half of the way to what the strategy wants after so many ms, three quarters after twice as
   * many; from 0, at once. It falls as slowly. @default 0
   */
  dampingMs?: number | undefined
  /**
   * Jitter: each increase is up to this part larger or smaller, from 0 to 1, so that many clients do not rise in step. @default 0.1
   */
  jitter?: number | undefined
  /**
   * The percentile of the recent latencies that a new one is compared with, as a part: above 0, up to 1. The higher it is, the sooner
   * it rises itself when a backlog grows slowly, and so hides that. @default 0.5
   */
  percentile?: number | undefined
  /** A latency of more than so many times that is a failure; from 1. @default 2 */
  tolerance?: number | undefined
  /** A number from 0 to below 1, for the jitter. @default Math.random */
  random?: (() => number) | undefined
  /** @default the limiter's, or systemClock */
  clock?: Clock | undefined
}

/** A limiter whose rate follows the outcomes of the calls. */
export interface AdaptiveLimiter<Changes = RateChange> extends WaitingLimiter<Changes> {
  /** Events per second now: from `min` to `max`. */
  readonly ratePerSecond: number
  /** A call went well. */
  success: () => void
  /** A call was throttled or failed: the rate was too high. */
  failure: () => void
  /**
   * A call took `ms`, from 0: a failure if that is much longer than recent calls, else a success. The first 20
   * calls count as successes. @throws RangeError for a time below 0 or NaN.
   */
  latency: (ms: number) => void
}

/** The limiter is reconfigured when the rate has moved by this part of itself: that may move all waiters. */
const STEP = 0.001

/**
 * A limiter that finds the rate that the server can take: report `success` or `failure` of each call, or its `latency`. The rate
 * rises slowly with successes and falls quickly with failures (`aimd`), or follows another `strategy`, from `min` to `max`.
 *
 * Decides as the given limiter, whose rate it changes, or as one by the given rule; goes on from a `ratePerSecond` that
 * `configure` sets. Sets no timer of its own. O(1) a report; when the rate changes O(n) with n waiting.
 *
 * @throws RangeError for an option that is out of range.
 */
export function createAdaptiveLimiter<Changes extends RateChange>(
  limited: WaitingLimiter<Changes> | Rule<Changes>,
  options: AdaptiveLimiterOptions = {},
): AdaptiveLimiter<Changes> {
  const limiter = 'allow' in limited ? limited : createWaitingLimiter(limited, { clock: options.clock })
  const initial = limiter.snapshot().ratePerSecond
  const {
    max = initial,
    min = max / 100,
    increase = max / 60,
    strategy = aimd({ ...options, increase }),
    dampingMs = 0,
    jitter = 0.1,
    percentile = 0.5,
    tolerance = 2,
    random = Math.random,
    clock = limiter.clock,
  } = options
  checkAbove(0, 'min', min)
  checkFrom(min, 'max', max)
  checkUpTo(Number.MAX_VALUE, 'max', max)
  checkFrom(0, 'dampingMs', dampingMs)
  checkFrom(0, 'jitter', jitter)
  checkUpTo(1, 'jitter', jitter)
  checkPart('percentile', percentile)
  checkFrom(1, 'tolerance', tolerance)
  const time = createForwardTime(clock)
  const usual = createLatencyPercentile(percentile)
  let lastAt = time.now()
  // What the strategy wants, what of it is left by damping, and what the limiter has.
  let wanted: number
  let damped: number
  let ratePerSecond: number

  const clamp = (rate: number): number => Math.min(Math.max(rate, min), max)

  function set(rate: number): void {
    ratePerSecond = rate
    limiter.configure({ ratePerSecond } as Changes)
  }

  function goOnFrom(rate: number): void {
    set((wanted = damped = clamp(rate)))
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
      checkFrom(0, 'ms', ms)
      const limitMs = usual.value === undefined ? Infinity : usual.value * tolerance
      usual.add(ms)
      report(ms <= limitMs)
    },
    configure(changes, at) {
      limiter.configure(changes, at)
      if (changes.ratePerSecond !== undefined) goOnFrom(changes.ratePerSecond)
    },
  }
}
