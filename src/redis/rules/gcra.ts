import { checkFrom } from '../../core/shared/check.ts'
import type { GcraOptions } from '../../core/limit/rules/gcra.ts'
import { scriptOf, type RedisRule, type RedisScript } from './script.ts'

/** Numbers: the period in ms, burst. State: the instant, and how far the theoretical arrival time is ahead of it. */
const script: RedisScript = {
  lua: scriptOf({
    state: `local period, burst = tonumber(ARGV[4]), tonumber(ARGV[5])
local s, at, tat, dirty = redis.call('GET', key), now, 0
if s then at, tat = struct.unpack('dd', s) end
local function ahead(t) return math.max(0, tat - math.max(0, t - at)) end
local function level(t) return burst - ahead(t) / period end
local function wait(t)
local m = ahead(t) + cost * period - burst * period
return cost > burst and 1e31 or m > 1e-6 and m or 0
end`,
    take: 'tat, at = math.max(0, ahead(now) + cost * period), now',
    save: `redis.call('SET', key, struct.pack('dd', at, tat), 'PX', string.format('%.0f', math.min(3e10, tat + 1001)))`,
  }),
  sha1: 'ae028f5c1b41c2bc289af707540a6ee58a806031',
}

/** The period of a rate of 0. A power of two, so that its small multiples are exact. */
const NEVER_MS = 2 ** 900

/**
 * The rule `gcra` of `lull/core`, computed in Redis: the generic cell rate algorithm. It decides as `tokenBucket` does, but for
 * rounding.
 *
 * In any time L (in seconds) at most ratePerSecond · L + burst pass, over all processes together. Its state is one short string.
 *
 * @throws RangeError for a rate or a burst below 0.
 */
export function gcra({ ratePerSecond, burst }: GcraOptions): RedisRule {
  checkFrom(0, 'ratePerSecond', ratePerSecond)
  checkFrom(0, 'burst', burst)
  return {
    name: 'gcra',
    script,
    numbers: [Math.min(1000 / ratePerSecond, NEVER_MS), burst],
    isUnlimited: ratePerSecond === Infinity || burst === Infinity,
    ratePerSecond,
    burst,
  }
}
