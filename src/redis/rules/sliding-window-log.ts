import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import { finish, START, windowRule, type RedisRule, type RedisScript } from './script.ts'

/**
 * Numbers: limit, window in ms. State: a sorted set of admissions by instant. Each member holds the sum of the costs before
 * it, and that sum plus its own cost. So the sum in a window is the difference of two members, found in O(log limit).
 *
 * What is given back was taken earlier than its age says if its message took longer than that of the take: by at most 100 ms, the
 * default timeout. An earlier entry that is reduced instead expires sooner, so no window allows more.
 */
const script: RedisScript = {
  lua: `${START}local limit, window, shift, s = tonumber(ARGV[5]), tonumber(ARGV[6]), 0, 1
local function num(x) return string.format('%.17g', x) end
local function read(e)
local before, sum = string.match(e[1] or '', '(%S+) (%S+)')
return tonumber(e[2]), tonumber(before), tonumber(sum), e[1]
end
local function entry(i) return read(redis.call('ZRANGE', key, i, i, 'WITHSCORES')) end
local at, last, sum, member = entry(-1)
at, sum = at or now, sum or 0
local function used(t)
local _, before = read(redis.call('ZRANGEBYSCORE', key, '(' .. num(t + shift - window), '+inf', 'WITHSCORES', 'LIMIT', 0, 1))
return sum - (before or sum)
end
local function look(t)
local used = used(t)
local left = limit - used
if cost > limit then return 1e31, left end
if used + cost <= limit then return 0, left end
local low, high = 0, redis.call('ZCARD', key)
while low < high do
local middle = math.floor((low + high) / 2)
local _, _, through = entry(middle)
if sum - through + cost <= limit then high = middle else low = middle + 1 end
end
return math.max(entry(low) + window - t - shift, 2 ^ -1074), left
end
local function rewrite(from, back)
local all, change = redis.call('ZRANGEBYSCORE', key, from, '+inf', 'WITHSCORES'), 0
for i = 1, #all, 2 do
local e, before, through = read({ all[i], all[i + 1] })
before = before - change
change = change + math.min(back - change, through - change - before)
redis.call('ZREM', key, all[i])
if before < through - change then redis.call('ZADD', key, num(e - shift), num(before) .. ' ' .. num(through - change)) end
end
at, sum, shift = at - shift, sum - change, 0
end
local function enter()
if shift > 0 then rewrite('-inf', 0) end
redis.call('ZREMRANGEBYSCORE', key, '-inf', num(now - window))
if cost == 0 then return end
local size = redis.call('ZCARD', key)
if size == 0 then sum = 0 end
local before = sum
if size > 0 and (at == now or size >= math.floor(limit)) then
redis.call('ZREM', key, member)
before = last
end
sum = sum + cost
redis.call('ZADD', key, num(now), num(before) .. ' ' .. num(sum))
end${finish(
    'shift = at - now',
    'if cost >= 0 then enter() elseif shift == 0 and ARGV[2] - window < 0 then rewrite(num(now - ARGV[2] - 100), -cost) end\nleft = left - cost',
    `if shift > 0 then rewrite('-inf', 0) end
redis.call('PEXPIRE', key, keep)`,
  )}`,
  sha1: '361d0d4cfc0bbd5bbf6965d6d4cf7cb9818f903c',
}

/**
 * The rule `slidingWindowLog` of `lull/core`, computed in Redis: at most `limit` in any window of `windowMs`, wherever it begins.
 *
 * An entry exactly `windowMs` old no longer counts. Its state is a sorted set of at most `limit` entries, about 100 bytes each:
 * for many keys or large limits use `slidingWindowCounter`. A decision costs O(log limit), a refusal O(log² limit).
 *
 * @throws RangeError for a limit below 0, or a window not above 0.
 */
export const slidingWindowLog = (options: WindowOptions): RedisRule => windowRule('log', script, options)
