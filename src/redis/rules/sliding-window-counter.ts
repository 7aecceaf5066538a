import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import { scriptOf, windowRule, type RedisRule, type RedisScript } from './script.ts'

/** Numbers: limit, window in ms. State: the last take, the start of its window, the counts of that window and the one before. */
const script: RedisScript = {
  lua: scriptOf(
    'at, start, current, previous',
    `local limit, window, age = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[2]
local at, start, current, previous = now, math.floor(now / window) * window, 0, 0
local function counts(t)
local ms = t - start
local k = ms < window and 0 or math.floor(ms / window)
return ms - k * window, k == 0 and current or 0, k == 0 and previous or k == 1 and current or 0, k
end
local function look(t)
local ms, now, before = counts(t)
local left = limit - math.floor(before * (1 - ms / window) + now)
if cost > limit then return 1e31, left end
if cost <= left then return 0, left end
local below = math.floor(limit - cost) + 1
return math.max(window * (now < below and 1 - (below - now) / before or 2 - below / now) - ms, 2 ^ -1074), left
end`,
    `local _, present, before, k = counts(now)
start = k > 1 and math.floor(now / window) * window or start + k * window
if cost < 0 and now - age < start then
before = math.max(0, before + (now - age < start - window and 0 or cost))
cost = 0
end
current, previous, at = math.max(0, present + cost), before, now
left = select(2, look(now))`,
    'start, at = start - at + now, now',
  ),
  sha1: 'f60898fa2becfe8ed37a08e9762e6f8c15025faf',
}

/**
 * The rule `slidingWindowCounter` of `lull/core`, computed in Redis: it estimates what passed in the last `windowMs` from the
 * counts of two windows. Its state is one short string.
 *
 * The error is at most previous · max(f, 1 − f), where f is the elapsed part of the current window.
 *
 * @throws RangeError for a limit below 0, or a window not above 0 or infinite.
 */
export function slidingWindowCounter(options: WindowOptions): RedisRule {
  if (options.windowMs === Infinity) throw new RangeError('Expected windowMs < Infinity, got Infinity')
  const rule = windowRule('counter', script, options)
  // The window before counts, too.
  return { ...rule, keepMs: 2 * rule.keepMs }
}
