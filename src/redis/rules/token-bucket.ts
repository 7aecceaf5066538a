import { checkEach } from '../../core/shared/check.ts'
import type { TokenBucketOptions } from '../../core/limit/rules/token-bucket.ts'
import { scriptOf, type RedisRule, type RedisScript } from './script.ts'

const DAY_MS = 86_400_000

/** Numbers: `r` tokens per ms, `b` burst, initial. State: the instant of the last take, the `n` tokens. */
const script: RedisScript = {
  lua: scriptOf(
    'at, n',
    `local r, b, at, n = tonumber(ARGV[5]), tonumber(ARGV[6]), now, tonumber(ARGV[7])
local function look(t)
local l = t > at and n + (t - at) * r or n
if l > b then l = b end
local m = cost - l
return cost > b and 1e31 or m > r * 1e-6 and m / r or 0, l
end`,
    'left, n, at = left - cost, left - cost, now',
  ),
  sha1: '5a2984f1dbb3b597c8ad9a253bbd52598f4bc8cf',
}

/**
 * The rule `tokenBucket` of `lull/core`, computed in Redis: bursts up to `burst`, and `ratePerSecond` in the long run.
 *
 * In any L seconds at most ratePerSecond · L + burst pass, over all processes together. Its state is one short string.
 * A bucket whose `initial` is below `burst` starts from `initial` again when it has been full for a day.
 *
 * @throws RangeError for a rate, a burst or an `initial` below 0.
 */
export function tokenBucket({ ratePerSecond, burst, initial = burst }: TokenBucketOptions): RedisRule {
  checkEach({ ratePerSecond, burst, initial })
  const start = Math.min(initial, burst)
  // Not -0.
  const rate = ratePerSecond + 0
  return {
    name: 'bucket',
    script,
    numbers: [rate / 1000, burst, start],
    keepMs: ((burst * 1000) / rate || 0) + (start < burst ? DAY_MS : 0),
    ratePerSecond: start < Infinity ? rate : Infinity,
    burst,
  }
}
