import { checkEach } from '../../core/shared/check.ts'
import type { LeakyBucketOptions } from '../../core/limit/rules/leaky-bucket.ts'
import type { RedisRule } from './script.ts'
import { tokenBucket } from './token-bucket.ts'

/**
 * The rule `leakyBucket` of `lull/core`, computed in Redis: each event adds its cost, the bucket leaks steadily, and an event that
 * would overflow it is refused. It decides like `tokenBucket` with a burst of `capacity`, with the same script.
 *
 * @throws RangeError for a rate or a capacity below 0.
 */
export function leakyBucket({ ratePerSecond, capacity }: LeakyBucketOptions): RedisRule {
  checkEach({ capacity })
  return { ...tokenBucket({ ratePerSecond, burst: capacity }), name: 'leaky' }
}
