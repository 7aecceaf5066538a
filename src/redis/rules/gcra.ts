import { checkEach } from '../../core/shared/check.ts'
import type { GcraOptions } from '../../core/limit/rules/gcra.ts'
import { scriptOf, type RedisRule, type RedisScript } from './script.ts'

/**
 * Numbers: the period in ms, burst. State: the instant of the last take, the theoretical arrival time less that instant: at most
 * `burst * period`, except after a take by another process with a lower rate or a larger burst.
 */
const script: RedisScript = {
  lua: scriptOf(
    'at, tat',
    `local period, burst, at, tat = tonumber(ARGV[5]), tonumber(ARGV[6]), now, 0
local function look(t)
local ahead = math.min(tat, burst * period + 1e-6)
if t > at then ahead = math.max(0, ahead - (t - at)) end
local m = ahead + cost * period - burst * period
return cost > burst and 1e31 or m > 1e-6 and m or 0, burst - ahead / period, ahead
end`,
    `local _, _, ahead = look(now)
left, tat, at = left - cost, math.max(0, ahead + cost * period), now`,
  ),
  sha1: 'd886bfab0321a84804ae9b36ab0aaff4ce0b0969',
}

/** The period for a rate of 0. A power of two, so that small multiples are exact. */
const NEVER_MS = 2 ** 900

/**
 * The rule `gcra` of `lull/core`, computed in Redis: the generic cell rate algorithm. Except for rounding, it decides like
 * `tokenBucket`.
 *
 * In any L seconds at most ratePerSecond · L + burst pass, over all processes together. Its state is one short string.
 *
 * @throws RangeError for a rate or a burst below 0.
 */
export function gcra({ ratePerSecond, burst }: GcraOptions): RedisRule {
  checkEach({ ratePerSecond, burst })
  // Not -0.
  const rate = ratePerSecond + 0
  return {
    name: 'gcra',
    script,
    numbers: [Math.min(1000 / rate, NEVER_MS), burst],
    keepMs: (burst * 1000) / rate || 0,
    ratePerSecond: burst < Infinity ? rate : Infinity,
    burst,
  }
}
