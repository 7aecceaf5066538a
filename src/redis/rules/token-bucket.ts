import { checkFrom } from '../../core/shared/check.ts'
import type { TokenBucketOptions } from '../../core/limit/rules/token-bucket.ts'
import { BACK, HEAD, TAIL, type RedisRule, type RedisScript } from './script.ts'

/** Numbers: tokens per ms, burst, initial. State: the instant, the tokens. A bucket that starts with less is kept a day longer. */
const script: RedisScript = {
  lua: `${HEAD}local perMs, burst, initial = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local a, b = string.match(redis.call('GET', key) or '', '(%S+) (%S+)')
local at, tokens, dirty = tonumber(a) or now, tonumber(b) or initial, not a and initial < burst
${BACK}local function level(t) return math.min(burst, tokens + math.max(0, t - at) * perMs) end
local function wait(t)
local missing = cost - level(t)
return cost > burst and 1e31 or missing > perMs * 1e-6 and missing / perMs or 0
end
local function take(c) tokens, at = math.min(burst, level(now) - c), now end
local function save() redis.call('SET', key, string.format('%.17g %.17g', at, tokens), 'PX', px((burst - tokens) / perMs + (initial < burst and 864e5 or 0))) end
${TAIL}`,
  sha1: '8df3b43da2a3c2036ec69a32a06c7464bbd1b61d',
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
    numbers: [ratePerSecond / 1000, Math.min(burst, Number.MAX_VALUE), start],
    isUnlimited: ratePerSecond === Infinity || start === Infinity,
    ratePerSecond,
    burst,
  }
}
