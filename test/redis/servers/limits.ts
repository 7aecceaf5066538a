import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import {
  createRedisLimiter,
  withIoredis,
  type RedisLimiterOptions,
  type RedisRule,
  type RunScript,
} from 'lull/redis'
import { startServer } from './server.ts'

/** Starts a server for the file and unused limiters on it, without cached refusals by default. */
export async function startLimits() {
  const server = await startServer([], 'file')
  const client = server.connect()
  const run = withIoredis(client)
  let prefixes = 0
  const prefix = (): string => `${prefixes++}:`
  const limit = (rule: RedisRule, options: Partial<RedisLimiterOptions> = {}) =>
    createRedisLimiter(rule, {
      run,
      prefix: prefix(),
      timeoutMs: 50_000,
      onOutage: 'closed',
      cacheRefusals: 0,
      ...options,
    })
  return { server, client, run, prefix, limit }
}

/** The time of the server. */
export async function serverMs(client: Redis): Promise<number> {
  const [seconds, microseconds] = (await client.time()).map(Number) as [number, number]
  return seconds * 1000 + microseconds / 1000
}

const ARITHMETIC = 't[1] * 1000 + t[2] / 1000'

/** Runs scripts with `now()` as the server time, passed as a second key in place of `TIME`. */
export function withGivenTime(run: RunScript, now: () => number): RunScript {
  return ({ lua }, keys, args) => {
    const timed = lua.replace(ARITHMETIC, 'tonumber(KEYS[2])')
    if (timed === lua) throw new Error('The script reads no time')
    const sha1 = createHash('sha1').update(timed).digest('hex')
    return run({ lua: timed, sha1 }, [...keys, String(now())], args)
  }
}

/** Runs scripts, keeps their calls, and waits for those pending. */
export function tracked(inner: RunScript) {
  const underWay = new Set<Promise<unknown>>()
  const calls: Parameters<RunScript>[] = []
  return {
    calls,
    run: (...call: Parameters<RunScript>) => {
      calls.push(call)
      const running = inner(...call)
      underWay.add(running)
      running.catch(() => undefined).finally(() => underWay.delete(running))
      return running
    },
    settle: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
