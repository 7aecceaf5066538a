import { checkFrom } from '../../core/shared/check.ts'
import type { TokenBucketOptions } from '../../core/limit/rules/token-bucket.ts'
import { scriptOf, type RedisRule, type RedisScript } from './script.ts'

/** Numbers: `r` tokens per ms, `b` burst, `i` initial if that is less. State: the instant, the `n` tokens. A bucket that starts with less is kept a day longer. */
const script: RedisScript = {
  lua: scriptOf({
    state: `local r, b = tonumber(ARGV[4]), tonumber(ARGV[5])
local i = tonumber(ARGV[6] or b)
local s = redis.call('GET', key)
local at, n, dirty = now, i, not s and i < b
if s then at, n = struct.unpack('dd', s) end
local function level(t) return math.min(b, n + math.max(0, t - at) * r) end
local function wait(t)
local m = cost - level(t)
return cost > b and 1e31 or m > r * 1e-6 and m / r or 0
end`,
    take: 'n, at = math.min(b, level(now) - cost), now',
    save: `redis.call('SET', key, struct.pack('dd', at, n), 'PX', string.format('%.0f', math.min(3e10, (b - n) / r + (i < b and 864e5 or 0) + 1001)))`,
  }),
  sha1: 'd85dd7c66a34c086c40beedc32858e1fee409b3c',
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
    numbers: [ratePerSecond / 1000, burst, ...(start < burst ? [start] : [])],
    isUnlimited: ratePerSecond === Infinity || start === Infinity,
    ratePerSecond,
    burst,
  }
}
