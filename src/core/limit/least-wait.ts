import type { Limiter } from './limiter.ts'

/** What is less than this apart is the same, also by a wall clock, whose readings are rounded to 0.0002 ms. */
const SAME_MS = 0.001

/**
 * The shortest time, in ms, after which `limiter` allows `cost` once others that come to `before` have gone; as it looks
 * now. Exact for a limiter that fills steadily and is not full: that of a token bucket, GCRA or a leaky bucket. For others, and
 * for several in one, it knows of `cost` alone.
 */
export function leastWaitMs(
  limiter: Pick<Limiter, 'peek' | 'snapshot'>,
  before: number,
  cost: number,
): number {
  const waitMs = (cost: number): number => limiter.peek(cost).retryAfterMs
  const ownMs = waitMs(cost)
  if (before === 0 || ownMs === Infinity) return ownMs
  const { ratePerSecond, burst, level } = limiter.snapshot()
  const steadyMs = (cost: number): number => ((cost - level) * 1000) / ratePerSecond
  const isSteady = (cost: number): boolean => Math.abs(waitMs(cost) - steadyMs(cost)) < SAME_MS
  const middle = Math.max((burst + level) / 2, 0)
  return level < burst && isSteady(burst) && isSteady(middle)
    ? Math.max(steadyMs(before + cost), ownMs)
    : ownMs
}
