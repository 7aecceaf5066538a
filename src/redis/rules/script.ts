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
 * `KEYS[1]` is the limit. `ARGV` is
 *
 *   1  'decide', 'peek', 'delete', or of a cost below 0 how long ago it was taken, at most, in ms
 *   2  the cost; one below 0 is given back
 *   3  the instant in ms by a client's clock, or '' for the server's
 *   4… the numbers of the rule
 *
 * The reply is what remains if the cost is allowed, else a string, for integers lose their fraction: what remains, and the ms to wait (from
 * 1e30 on, or inf: never). State is written as it is in memory, which is exact and fast. Comments are kept out of the text: it is part of every bundle.
 *
 * Clocks of clients differ, and none may gain by being behind another: `now` is never before `at`. A client that is behind waits longer
 * by that. The server's clock is one, and goes back only when it is set back: then time goes on from there.
 */

/** The parts of a rule's script. */
interface Parts {
  /**
   * Makes `at`, the instant of the last taking, and the functions `level(t)` and `wait(t)`; and `dirty` if a refusal has to be
   * written too.
   */
  state: string
  /** Takes the state back to `now`. */
  back?: string
  /** Takes `cost`. */
  take: string
  /** Writes the state, with a TTL of at least a second and at most 347 days. */
  save: string
}

/** A script. The loop makes the wait such that the cost is allowed at the instant `now + wait` as floating point has it. */
export const scriptOf = ({ state, back = 'at = now', take, save }: Parts): string =>
  `local key, op, cost, client = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if op == 'delete' then return redis.call('DEL', key) end
local t = client or redis.call('TIME')
local now = client or t[1] * 1000 + t[2] / 1000
${state}
if now < at then
if client then now = at else ${back} dirty = 1 end
end
local ms = wait(now)
if op ~= 'peek' and (ms == 0 or dirty) then
if ms == 0 then ${take} end
${save}
end
local left = math.max(0, math.floor(level(now) + 1e-9))
if ms == 0 then return math.min(left, 2 ^ 53) end
local step = 1e-18
while ms < 1e30 and wait(now + ms) > 0 do
ms = ms + step
step = step * 2
end
return string.format('%.0f %.17g', left, client and ms + now - client or ms)`
