import type { LimiterSnapshot } from '../limit/limiter.ts'
import { check, checkType } from '../shared/check.ts'

/** An alias: declarations spell it out, so that it needs no public name. */
type Counts = Pick<LimiterSnapshot, 'allowed' | 'denied'>

export interface LimiterHealthOptions {
  /** Minimum number of decisions for a judgement. @default 100 */
  minDecisions?: number | undefined
  /** Maximum part of refusals in a healthy limiter, 0 to 1. @default 0.95 */
  maxDenialRatio?: number | undefined
  /** An earlier snapshot: only decisions since then are judged. @default none, all are judged */
  since?: Counts | undefined
}

export interface LimiterHealth {
  /** False if the limiter refused so much that the limit is probably wrong or its users are starved. */
  readonly isHealthy: boolean
  /** The part of refusals, 0 to 1; undefined with too few decisions. */
  readonly denialRatio: number | undefined
}

/**
 * Judges a limiter by the counts in its `snapshot()`: one that refuses nearly everything needs an operator. A limiter with too
 * few decisions is healthy.
 *
 * @throws RangeError for an option below 0.
 */
export function limiterHealth(
  { allowed, denied }: Counts,
  { minDecisions = 100, maxDenialRatio = 0.95, since }: LimiterHealthOptions = {},
): LimiterHealth {
  check(minDecisions >= 0, 'minDecisions >= 0', minDecisions)
  check(maxDenialRatio >= 0, 'maxDenialRatio >= 0', maxDenialRatio)
  const denials = denied - (since?.denied ?? 0)
  const decisions = allowed - (since?.allowed ?? 0) + denials
  if (decisions === 0 || decisions < minDecisions) return { isHealthy: true, denialRatio: undefined }
  const denialRatio = denials / decisions
  return { isHealthy: denialRatio <= maxDenialRatio, denialRatio }
}

/**
 * Returns a listener that passes a random part of the events on to `listener`: with `onEvent: sampled(0.01, log)` a limiter logs
 * one denial in a hundred.
 *
 * @param ratio the part to pass on, 0 to 1.
 * @param random returns a number of at least 0 and below 1. @default Math.random
 * @throws RangeError for a ratio below 0 or NaN; TypeError for a `listener` that is not a function.
 */
export function sampled<Event>(
  ratio: number,
  listener: (event: Event) => void,
  random: () => number = Math.random,
): (event: Event) => void {
  check(ratio >= 0, 'ratio >= 0', ratio)
  checkType('function', 'listener', listener)
  return (event) => {
    if (random() < ratio) listener(event)
  }
}
