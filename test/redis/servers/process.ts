// One of several processes that share a limit; sends the calls that it allowed to its parent process.
import { Redis } from 'ioredis'
import {
  createRedisLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  withIoredis,
} from 'lull/redis'

const rules = {
  tokenBucket: tokenBucket({ ratePerSecond: 200, burst: 50 }),
  gcra: gcra({ ratePerSecond: 200, burst: 50 }),
  leakyBucket: leakyBucket({ ratePerSecond: 200, capacity: 50 }),
  fixedWindow: fixedWindow({ limit: 50, windowMs: 250 }),
  slidingWindowLog: slidingWindowLog({ limit: 50, windowMs: 250 }),
  slidingWindowCounter: slidingWindowCounter({ limit: 50, windowMs: 250 }),
}

const [port, durationMs] = process.argv.slice(2).map(Number) as [number, number]
const client = new Redis(port, '127.0.0.1')
const limiters = Object.entries(rules).map(([name, rule]) => ({
  name,
  // Lets the server make every decision.
  limiter: createRedisLimiter(rule, {
    run: withIoredis(client),
    timeoutMs: 30_000,
    onOutage: 'closed',
    cacheRefusals: 0,
  }),
}))

/** The two server instants, in ms, around each allowed call. */
const passed: Record<string, [from: number, to: number][]> = {}
const serverTime = async (): Promise<number> => {
  const [seconds, microseconds] = (await client.time()).map(Number) as [number, number]
  return seconds * 1000 + microseconds / 1000
}

const end = (await serverTime()) + durationMs
for (let now = 0; now < end;) {
  for (const { name, limiter } of limiters) {
    const before = await serverTime()
    const decisions = await Promise.all(Array.from({ length: 5 }, () => limiter.allow('shared')))
    now = await serverTime()
    for (const allowed of decisions) if (allowed) (passed[name] ??= []).push([before, now])
  }
}
const outages = limiters.reduce((sum, { limiter }) => sum + limiter.snapshot().outages, 0)
process.send!({ passed, outages }, () => {
  client.disconnect()
  process.exit()
})
