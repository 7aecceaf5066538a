/** A script as `run` is given it: its text, and the SHA-1 of that in hexadecimal, for `EVALSHA`. */
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
  /** What the script is given: `ARGV` from 5 on. */
  readonly numbers: readonly number[]
  /** Whether everything is allowed. The script is not run then. */
  readonly isUnlimited: boolean
  /** Events per second in the long run. */
  readonly ratePerSecond: number
  /** The most at once. */
  readonly burst: number
}

/*
 * What a script is made of: the head, the rule, the tail. `KEYS[1]` is the limit. `ARGV` is
 *
 *   1  'decide', 'peek', 'delete', or of a cost below 0 how long ago it was taken, at most, in ms
 *   2  the cost; one below 0 is given back
 *   3  the instant in ms by a client's clock, or '' for the server's
 *   4… the numbers of the rule
 *
 * The rule makes `at`, the instant of the last taking, and the functions `level`, `wait`, `take` and `save`; and `dirty` if a refusal has
 * to be written too. State is written with 17 digits, which is exact.
 *
 * The reply to all but 'delete' is one string, because integers lose their fraction: ms to wait (0: allowed; from 1e30 on, or inf: never), what
 * remains. Comments are kept out of the text: it is part of every bundle.
 */

/** Makes `now`, and `px`, which writes a TTL: at least a second, at most 347 days. */
export const HEAD = `local key, op, cost, client = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if op == 'delete' then return redis.call('DEL', key) end
local t = client or redis.call('TIME')
local now = client or t[1] * 1000 + t[2] / 1000
local function px(ms) return string.format('%.0f', math.min(3e10, ms + 1001)) end
`

/**
 * What a rule does whose clock has gone back. Clocks of clients differ, and none may gain by being behind another: `now` is never before
 * `at`. The server's clock is one, and goes back only when it is set back: then time goes on from there.
 */
export const BACK = `if now < at then
if client then now = at else at, dirty = now, 1 end
end
`

/**
 * Decides. A client that is behind waits longer by that. The loop makes the wait such that the cost is allowed at the instant
 * `now + wait` as floating point has it.
 */
export const TAIL = `
local ms = wait(now)
if op ~= 'peek' and (ms == 0 or dirty) then
if ms == 0 then take(cost) end
save()
end
local step = math.max(now, ms, 1) * 2 ^ -52
while ms > 0 and ms < 1e30 and wait(now + ms) > 0 do
ms = ms + step
step = step * 2
end
if ms > 0 and client then ms = ms + now - client end
return string.format('%.17g %.0f', ms, math.max(0, math.floor(level(now) + 1e-9)))`
