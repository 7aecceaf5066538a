import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import { scriptOf, windowRule, type RedisRule, type RedisScript } from './script.ts'

/** Numbers: limit, window in ms. State: the instant of the last take, and the count of its window. */
const script: RedisScript = {
  lua: scriptOf(
    'at, count',
    `local limit, window, at, count = tonumber(ARGV[5]), tonumber(ARGV[6]), now, 0
local function index(t)
local i = math.floor(t / window)
return i * window > t and i - 1 or (i + 1) * window <= t and i + 1 or i
end
local function look(t)
local i = index(t)
local used = at < i * window and 0 or count
return cost > limit and 1e31 or used + cost > limit and (i + 1) * window - t or 0, limit - used, used
end`,
    `if cost < 0 and index(now - ARGV[2]) < index(now) then cost = 0 end
local _, _, used = look(now)
count, left, at = math.max(0, used + cost), left - cost, now`,
  ),
  sha1: '2e2be61791275fca888866e3dd8735740d5f81f1',
}

/**
 * The rule `fixedWindow` of `lull/core`, computed in Redis: at most `limit` in each window. Windows begin at multiples of
 * `windowMs` of the server's clock, so a window of 60,000 ms begins on the minute.
 *
 * Around a boundary up to 2 · limit pass within any time shorter than a window. Its state is one short string.
 *
 * @throws RangeError for a limit below 0 or a window not above 0.
 */
export const fixedWindow = (options: WindowOptions): RedisRule => windowRule('fixed', script, options)
