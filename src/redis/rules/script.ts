import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import { check, checkEach } from '../../core/shared/check.ts'

/** A script as passed to `run`: its text, and the SHA-1 in hexadecimal, for `EVALSHA`. */
export interface RedisScript {
  readonly lua: string
  readonly sha1: string
}

/**
 * A rule whose arithmetic runs in Redis. It makes the decisions of the rule of the same name in `lull/core`, from the same
 * options; that rule computes in memory and cannot be used here.
 */
export interface RedisRule {
  /** Part of each key, so that no rule reads what another has written. */
  readonly name: string
  readonly script: RedisScript
  /** `ARGV` from 3 on. */
  readonly numbers: readonly [number, number, number]
  /** How long the state matters after a taking, in ms. */
  readonly keepMs: number
  /** Events per second in the long run. Infinity: everything is allowed, without a run of the script. */
  readonly ratePerSecond: number
  /** The most at once. */
  readonly burst: number
}

/*
 * `KEYS[1]` is the limit. `ARGV` is
 *
 *   1  the cost; one below 0 is given back
 *   2  how long the state counts after a request, in ms
 *   3, 4, 5  the numbers of the rule
 *   6  'peek', 'delete', or of a cost below 0 how long ago it was taken, at most, in ms
 *   7  the instant in ms by a client's clock; without it the server's
 *
 * The reply is what remains if the cost is allowed, as an integer; else a string: what remains, and the ms to wait (from 1e30 on, or
 * inf: never). State is packed as doubles, which is exact and fast. The script has no comments: it is part of every bundle.
 *
 * The clocks of clients differ, and none may gain by a slow one: `now` is never before `at`, and a client that is behind waits
 * longer by that. The server's clock goes back only when it is set: then time goes on from there.
 *
 * SET with a TTL costs as much as all the rest, so it runs once in each `keep` ms, for twice that time; SETRANGE keeps the TTL.
 */

/** The start of each script. */
export const START: string = `local key, cost, keep = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local op, client = ARGV[6], tonumber(ARGV[7])
if op == 'delete' then return redis.call('DEL', key) end
local t = client or redis.call('TIME')
local now = client or t[1] * 1000 + t[2] / 1000
`

/**
 * The end of each script. A refusal is written only if it begins a state or takes one back to `now`. The loop rounds the wait up
 * until the cost is allowed at `now + wait` in floating point.
 */
export const finish = (back: string, take: string, save: string): string => `
if now < at then
if client then now = at else ${back} s = nil end
end
local ms, left = look(now)
if op ~= 'peek' and (ms == 0 or not s) then
if ms == 0 then ${take} end
${save}
end
if ms == 0 then return math.min(left + 1e-9, 2 ^ 53) end
local step = 1e-18
while ms < 1e30 and look(now + ms) > 0 do
ms = ms + step
step = step * 2
end
return string.format('%.0f %.17g', math.max(0, math.floor(left + 1e-9)), client and ms + now - client or ms)`

/**
 * The script of a rule whose state is one short string.
 *
 * @param stored the numbers of the state, separated by commas; the first is `at`, the instant of the last taking.
 * @param look sets these to those of a new limit, and defines `look(t)`: the ms to wait from the instant `t` on, and what is left.
 * @param take takes `cost` from `left`.
 * @param back takes the state back to `now`.
 */
export function scriptOf(stored: string, look: string, take: string, back = 'at = now'): string {
  // One `d` for each number.
  const format = stored.replace(/,? ?\w+/g, 'd')
  return `${START}${look}
local s = redis.call('GET', key)
if s then ${stored} = struct.unpack('${format}', s) end
local from = at${finish(
    back,
    take,
    `local v = struct.pack('${format}', ${stored})
if s and now - now % keep <= from then redis.call('SETRANGE', key, '0', v)
else redis.call('SET', key, v, 'PX', 2 * keep) end`,
  )}`
}

/** Builds a window rule from its options, and checks them. */
export function windowRule(name: string, script: RedisScript, { limit, windowMs }: WindowOptions): RedisRule {
  checkEach({ limit })
  check(windowMs > 0, 'windowMs > 0', windowMs)
  return {
    name,
    script,
    numbers: [limit, windowMs, 0],
    // The counter uses two windows.
    keepMs: 2 * windowMs,
    ratePerSecond: (limit * 1000) / windowMs,
    burst: limit,
  }
}
