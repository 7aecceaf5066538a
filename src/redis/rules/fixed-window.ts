import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import { scriptOf, type RedisRule, type RedisScript } from './script.ts'
import { windowRule } from './window-rule.ts'

/** Numbers: limit, window in ms. State: the instant, and the count of its window. */
const script: RedisScript = {
  lua: scriptOf({
    state: `local limit, window = tonumber(ARGV[4]), tonumber(ARGV[5])
local s, at, count, dirty = redis.call('GET', key), now, 0
if s then at, count = struct.unpack('dd', s) end
local function index(t)
local i = math.floor(t / window)
return i * window > t and i - 1 or (i + 1) * window <= t and i + 1 or i
end
local function used(t) return at < index(t) * window and 0 or count end
local function level(t) return limit - used(t) end
local function wait(t)
return cost > limit and 1e31 or used(t) + cost > limit and (index(t) + 1) * window - t or 0
end`,
    take: `if cost < 0 and index(now - op) < index(now) then cost = 0 end
count, at = math.max(0, used(now) + cost), now`,
    save: `redis.call('SET', key, struct.pack('dd', at, count), 'PX', string.format('%.0f', math.min(3e10, (index(at) + 1) * window - at + 1001)))`,
  }),
  sha1: 'cddccb8a9af6b362500d8ab38a018a027245a65e',
}

/**
 * The rule `fixedWindow` of `lull/core`, computed in Redis: at most `limit` in each window. Windows begin at multiples of `windowMs`
 * of the server's clock, so that one of 60,000 ms begins on the minute.
 *
 * Around a boundary up to 2 · limit pass within any shorter time. Its state is one short string.
 *
 * @throws RangeError for a limit below 0, a window not above 0.
 */
export const fixedWindow = (options: WindowOptions): RedisRule => windowRule('fixed', script, options)
