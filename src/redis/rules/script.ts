import type { WindowOptions } from '../../core/limit/rules/fixed-window.ts'
import { check, checkEach } from '../../core/shared/check.ts'

/** A script as passed to `run`: its text, and the SHA-1 in hexadecimal, for `EVALSHA`. */
export interface RedisScript {
  readonly lua: string
  readonly sha1: string
}

/**
 * A rule that is computed in Redis. It decides like the rule of the same name in `lull/core`, from the same options. That rule is
 * computed in memory and cannot be used here.
 */
export interface RedisRule {
  /** Part of each key, so that no rule reads what another has written. */
  readonly name: string
  readonly script: RedisScript
  /** The last of `ARGV`. */
  readonly numbers: readonly number[]
  /** How long the state matters after a take, in ms. */
  readonly keepMs: number
  /** Events per second in the long run. Infinity: every decision allows, and the script does not run for it. */
  readonly ratePerSecond: number
  /** The most that can be taken at once. */
  readonly burst: number
}

/*
 * `KEYS[1]` is the limit. `ARGV` is
 *
 *   1  the cost; a negative one is given back
 *   2  'peek', 'delete', or for a negative cost the most time since it was taken, in ms
 *   3  the instant in ms of the client's clock; if empty, the server's clock is used
 *   4  how long the state matters after a take, in ms
 *   5 …  the numbers of the rule
 *
 * If the cost is allowed, the reply is an integer: what remains. Else it is a string: what remains, and the ms to wait (1e30 or
 * more, or inf: never). State is packed as doubles, which is exact and fast. Scripts have no comments: they are in every bundle.
 *
 * The clocks of clients differ, and a slow one must gain nothing: `now` is never before `at`, and a client whose clock is behind
 * waits longer by the difference. The server's clock goes back only when it is set; then time goes on from the new reading.
 *
 * SET with a TTL costs as much as all the rest, so it runs once every `keep` ms, for twice that time; SETRANGE keeps the TTL.
 */

/** The start of each script. */
export const START: string = `local key, cost, op, client, keep = KEYS[1], tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
if op == 'delete' then return redis.call('DEL', key) end
local t = client or redis.call('TIME')
local now = client or t[1] * 1000 + t[2] / 1000
`

/**
 * The end of each script. A refusal is written only if there is no state or the clock went back. The loop rounds the wait up
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
if ms == 0 then return math.max(0, math.min(left + 1e-9, 2 ^ 53)) end
local step = 1e-18
while ms < 1e30 and look(now + ms) > 0 do
step = step * 2
ms = ms + step
end
return string.format('%.0f %.17g', math.max(0, math.floor(left + 1e-9)), client and ms + now - client or ms)`

/**
 * The script of a rule whose state is one short string.
 *
 * @param stored the variables of the state, separated by commas; the first is `at`, the instant of the last take.
 * @param look sets them to the state of a new limit, and defines `look(t)`: the ms to wait from instant `t`, and what is left.
 * @param take takes `cost` from `left`.
 * @param back moves the state back to `now`.
 */
export function scriptOf(stored: string, look: string, take: string, back = 'at = now'): string {
  // One `d` for each variable.
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

/** Checks the options of a window rule, and builds it. */
export function windowRule(name: string, script: RedisScript, { limit, windowMs }: WindowOptions): RedisRule {
  checkEach({ limit })
  check(windowMs > 0, 'windowMs > 0', windowMs)
  return {
    name,
    script,
    numbers: [limit, windowMs],
    keepMs: windowMs,
    ratePerSecond: (limit * 1000) / windowMs,
    burst: limit,
  }
}
