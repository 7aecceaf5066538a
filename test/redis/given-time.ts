import { createHash } from 'node:crypto'
import type { RunScript } from 'lull/redis'

const ARITHMETIC = 't[1] * 1000 + t[2] / 1000'

/** Runs scripts whose server's time is `now()`: what they read of `TIME` is replaced by a second key. For tests alone. */
export function withGivenTime(run: RunScript, now: () => number): RunScript {
  return ({ lua }, keys, args) => {
    const timed = lua.replace(ARITHMETIC, 'tonumber(KEYS[2])')
    if (timed === lua) throw new Error('The script reads no time')
    const sha1 = createHash('sha1').update(timed).digest('hex')
    return run({ lua: timed, sha1 }, [...keys, String(now())], args)
  }
}
