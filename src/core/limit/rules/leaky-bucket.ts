import { checkFrom } from '../../shared/check.ts'
import { adviseOnOptions } from '../../shared/develop.ts'
import type { Rule } from './rule.ts'
import { tokenBucket, type TokenBucketChanges } from './token-bucket.ts'

export interface LeakyBucketOptions {
  /** What leaks out per second, from 0 (nothing) to Infinity (no limit). */
  ratePerSecond: number
  /** What the bucket holds, from 0. */
  capacity: number
}

/** The options of `configure`. Omitted options keep their value. The room that is left stays, up to the capacity. */
export type LeakyBucketChanges = { [Name in keyof LeakyBucketOptions]?: number | undefined }

/**
 * The leaky bucket as a meter: each event pours its cost in, the bucket leaks steadily, and what would overflow is
 * refused. To hold events back and let them out one by one, see `createQueue`.
 *
 * water(t) = max(0, water − (t − at) · ratePerSecond / 1000), t and at in ms; a cost of c passes while
 * water + c ≤ capacity. The room left is what a token bucket calls tokens, decision by decision, so this is that rule
 * under the names of this model; its level is the room. In any time L (in seconds) at most
 * ratePerSecond · L + capacity pass.
 *
 * @throws RangeError for a rate or a capacity below 0.
 */
export function leakyBucket(options: LeakyBucketOptions): Rule<LeakyBucketChanges> {
  adviseOnOptions('leakyBucket', options)
  const { ratePerSecond, capacity } = options
  checkFrom(0, 'capacity', capacity)
  return meterOf(tokenBucket({ ratePerSecond, burst: capacity }))
}

const meterOf = (bucket: Rule<TokenBucketChanges>): Rule<LeakyBucketChanges> => ({
  ...bucket,
  reconfigure({ ratePerSecond, capacity: burst }, cells, at) {
    if (burst !== undefined) checkFrom(0, 'capacity', burst)
    const [next, nextCells] = bucket.reconfigure({ ratePerSecond, burst }, cells, at)
    return [meterOf(next), nextCells]
  },
})
