import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import { scriptOf, type RedisRule, type RedisScript } from './script.ts'
import { windowRule } from './window-rule.ts'

/** Numbers: limit, window in ms. State: the instant, the start of its window, the counts of that and of the window before. */
const script: RedisScript = {
  lua: scriptOf({
    state: `local limit, window = tonumber(ARGV[4]), tonumber(ARGV[5])
local s, at, start, current, previous, dirty = redis.call('GET', key), now, math.floor(now / window) * window, 0, 0
if s then at, start, current, previous = struct.unpack('dddd', s) end
local function counts(t)
local k = t - start < window and 0 or math.floor((t - start) / window)
return k, k == 0 and current or 0, k == 0 and previous or k == 1 and current or 0
end
local function estimate(t)
local k, now, before = counts(t)
return before * (1 - ((t - start) / window - k)) + now
end
local function level(t) return limit - math.floor(estimate(t)) end
local function wait(t)
if cost > limit then return 1e31 end
if math.floor(estimate(t)) + cost <= limit then return 0 end
local below = math.floor(limit - cost) + 1
local k, now, before = counts(t)
return math.max(start + k * window + window * (now < below and 1 - (below - now) / before or 2 - below / now) - t, 2 ^ -1074)
end`,
    back: 'start, at = start - at + now, now',
    take: `local k, present, before = counts(now)
if k > 0 then start = k == 1 and start + window or math.floor(now / window) * window end
if cost < 0 and now - op < start then
before = math.max(0, before + (now - op < start - window and 0 or cost))
cost = 0
end
current, previous, at = math.max(0, present + cost), before, now`,
    save: `redis.call('SET', key, struct.pack('dddd', at, start, current, previous), 'PX', string.format('%.0f', math.min(3e10, start + 2 * window - at + 1001)))`,
  }),
  sha1: 'f9d10d1eaa02a776b6277e5bf4c4b6b4c14d0351',
}

/**
 * The rule `slidingWindowCounter` of `lull/core`, computed in Redis: estimates what passed in the last `windowMs` from the counts of two
 * windows. Its state is one short string.
 *
 * Off by at most previous · max(f, 1 − f) from the true count, f being the part of the present window that has gone by.
 *
 * @throws RangeError for a limit below 0, a window not above 0 or infinite.
 */
export function slidingWindowCounter(options: WindowOptions): RedisRule {
  if (options.windowMs === Infinity) throw new RangeError('Expected windowMs < Infinity, got Infinity')
  return windowRule('counter', script, options)
}
