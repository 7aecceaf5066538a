import { checkFrom } from '../../core/shared/check.ts'
import type { TokenBucketOptions } from '../../core/limit/rules/token-bucket.ts'
import { scriptOf, type RedisRule, type RedisScript } from './script.ts'

const DAY_MS = 86_400_000

/** Numbers: `r` tokens per ms, `b` burst, `i` initial. State: the instant, the `n` tokens. */
const script: RedisScript = {
  lua: scriptOf({
    numbers: 'local r, b, i = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])',
    stored: 'at, n',
    fresh: 'now, i',
    look: `dirty = not s and i < b
local function look(t)
local l = t > at and n + (t - at) * r or n
if l > b then l = b end
local m = cost - l
return cost > b and 1e31 or m > r * 1e-6 and m / r or 0, l
end`,
    take: 'left, n, at = left - cost, left - cost, now',
  }),
  sha1: 'c4fb73882573393cf3ffd03059aed7a92b25e841',
}

/**
 * The rule `tokenBucket` of `lull/core`, computed in Redis: bursts up to `burst`, and `ratePerSecond` in the long run.
 *
 * In any time L (in seconds) at most ratePerSecond · L + burst pass, over all processes together. Its state is one short string.
 * A bucket that starts with less than `burst` starts anew when it has been full for a day.
 *
 * @throws RangeError for a rate, a burst or `initial` below 0.
 */
export function tokenBucket({ ratePerSecond, burst, initial = burst }: TokenBucketOptions): RedisRule {
  checkFrom(0, 'ratePerSecond', ratePerSecond)
  checkFrom(0, 'burst', burst)
  checkFrom(0, 'initial', initial)
  const start = Math.min(initial, burst)
  return {
    name: 'bucket',
    script,
    numbers: [ratePerSecond / 1000, burst, start],
    keepMs: ((burst * 1000) / ratePerSecond || 0) + (start < burst ? DAY_MS : 0),
    isUnlimited: ratePerSecond === Infinity || start === Infinity,
    ratePerSecond,
    burst,
  }
}
