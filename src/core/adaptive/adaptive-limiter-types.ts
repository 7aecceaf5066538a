import type { AimdOptions } from './aimd.ts'
import type { Clock } from '../time/clock.ts'
import type { WaitingLimiter } from '../limit/limiter-types.ts'
import type { RateStrategy } from './rate-strategy.ts'

/** What `configure` must take, so that the rate can follow. */
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
   * Each increase is up to so much larger or smaller, from 0 to 1, so that many clients do not march in step. @default 0.1
   */
  jitter?: number | undefined
  /**
   * Of the latencies of late, the percentile that one is measured by, as a part: above 0, up to 1. The higher it is, the sooner
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

/** A limiter whose rate follows what becomes of the calls. */
export interface AdaptiveLimiter<Changes = RateChange> extends WaitingLimiter<Changes> {
  /** Events per second now: from `min` to `max`. */
  readonly ratePerSecond: number
  /** A call went well. */
  success: () => void
  /** A call was throttled or failed: the rate was too high. */
  failure: () => void
  /**
   * A call took `ms`, from 0: a failure if that is much longer than of late, else a success. Until 20 calls have told what
   * is usual, a success. @throws RangeError for a time below 0 or NaN.
   */
  latency: (ms: number) => void
}
