import type { LimiterSnapshot } from '../limit/limiter.ts'
import { checkFrom } from '../shared/check.ts'

/** An alias: declarations spell it out, so that it needs no public name. */
type Counts = Pick<LimiterSnapshot, 'allowed' | 'denied'>

export interface LimiterHealthOptions {
  /** Fewer decisions are too few to judge. @default 100 */
  minDecisions?: number | undefined
  /** The part of them that may be refusals, from 0 to 1. @default 0.95 */
  maxDenialRatio?: number | undefined
  /** The counts from which on to judge: an earlier snapshot. @default none, judge from the beginning */
  since?: Counts | undefined
}

export interface LimiterHealth {
  /** False if so much was refused that the limit is probably wrong, or its users are starved. */
  readonly isHealthy: boolean
  /** Refusals among the decisions, from 0 to 1; undefined while there are too few to judge. */
  readonly denialRatio: number | undefined
}

/**
 * Judges a limiter by the counts in its `snapshot()`: one that refuses nearly everything needs an operator. With too few decisions
 * it is healthy.
 *
 * @throws RangeError for an option below 0.
 */
export function limiterHealth(
  { allowed, denied }: Counts,
  { minDecisions = 100, maxDenialRatio = 0.95, since }: LimiterHealthOptions = {},
): LimiterHealth {
  checkFrom(0, 'minDecisions', minDecisions)
  checkFrom(0, 'maxDenialRatio', maxDenialRatio)
  const denials = denied - (since?.denied ?? 0)
  const answers = allowed - (since?.allowed ?? 0) + denials
  if (answers === 0 || answers < minDecisions) return { isHealthy: true, denialRatio: undefined }
  const denialRatio = denials / answers
  return { isHealthy: denialRatio <= maxDenialRatio, denialRatio }
}

/**
 * Returns a listener that passes a random part of the events on to `listener`: with `onEvent: sampled(0.01, log)` a limiter logs
 * one denial in a hundred.
 *
 * @param ratio from 0 (nothing) to 1 (everything).
 * @param random from 0 to below 1.
 * @throws RangeError for a ratio below 0 or NaN.
 */
export function sampled<Event>(
  ratio: number,
  listener: (event: Event) => void,
  random: () => number = Math.random,
): (event: Event) => void {
  checkFrom(0, 'ratio', ratio)
  return (event) => {
    if (random() < ratio) listener(event)
  }
}
