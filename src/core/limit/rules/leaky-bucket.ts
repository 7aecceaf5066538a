import { check } from '../../shared/check.ts'
import { adviseOnOptions } from '../../shared/develop.ts'
import type { Rule } from './rule.ts'
import { tokenBucket, type TokenBucketChanges } from './token-bucket.ts'

export interface LeakyBucketOptions {
  /** How much leaks out per second, from 0 (nothing) to Infinity (no limit). */
  ratePerSecond: number
  /** How much the bucket holds, at least 0. */
  capacity: number
}

/** The options of `configure`. Omitted options keep their value. The room that is left stays, up to the capacity. */
export type LeakyBucketChanges = { [Name in keyof LeakyBucketOptions]?: number | undefined }

/**
 * The leaky bucket as a meter: each event adds its cost, the bucket leaks steadily, and an event that would overflow it is refused.
 * To delay events and start them one by one, see `createQueue`.
 *
 * water(t) = max(0, water − (t − at) · ratePerSecond / 1000), t and at in ms. A cost of c is allowed while water + c ≤ capacity. It
 * decides exactly as a token bucket whose tokens are the room left, which is also its level. In any time L (in seconds) at most
 * ratePerSecond · L + capacity is allowed.
 *
 * @throws RangeError for a rate or a capacity below 0.
 */
export function leakyBucket(options: LeakyBucketOptions): Rule<LeakyBucketChanges> {
  adviseOnOptions('leakyBucket', options)
  const { ratePerSecond, capacity } = options
  check(capacity >= 0, 'capacity >= 0', capacity)
  return meterOf(tokenBucket({ ratePerSecond, burst: capacity }))
}

const meterOf = (bucket: Rule<TokenBucketChanges>): Rule<LeakyBucketChanges> => ({
  ...bucket,
  reconfigure({ ratePerSecond, capacity: burst }, cells, at) {
    if (burst !== undefined) check(burst >= 0, 'capacity >= 0', burst)
    const [next, nextCells] = bucket.reconfigure({ ratePerSecond, burst }, cells, at)
    return [meterOf(next), nextCells]
  },
})
