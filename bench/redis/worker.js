// One of the processes: on each message it makes decisions with one limiter, and reports how long they took.
import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'

const [port, dist] = process.argv.slice(2)
const lull = await import(pathToFileURL(`${dist}/redis/index.js`).href)
const client = new Redis(Number(port), '127.0.0.1')
const run = lull.withIoredis(client)

/** Runs the script with an addition: it also logs the instant of each take, in a list beside the limit. */
const logged = ({ lua }, keys, args) => {
  const text = lua.replace(
    'if ms == 0 then',
    `if ms == 0 then redis.call('RPUSH', '{' .. key .. '}log', string.format('%.17g', now))`,
  )
  if (text === lua) throw new Error('The script does not take')
  return run({ lua: text, sha1: createHash('sha1').update(text).digest('hex') }, keys, args)
}

const options = (isLogged) => ({
  run: isLogged ? logged : run,
  timeoutMs: 60_000,
  onOutage: 'closed',
  // With a log, the server makes every decision.
  ...(isLogged && { cacheRefusals: 0 }),
})

const limiters = {
  'rate-limiter-flexible': ({ limit, windowMs, isBlocked }) => {
    const limiter = new RateLimiterRedis({
      storeClient: client,
      points: limit,
      duration: windowMs / 1000,
      ...(isBlocked && { inMemoryBlockOnConsumed: limit }),
    })
    return (key) =>
      limiter.consume(key).then(
        () => true,
        (refusal) => {
          if (refusal instanceof Error) throw refusal
          return false
        },
      )
  },
  lull: ({ rule, isLogged, ...numbers }) => {
    const limiter = lull.createRedisLimiter(lull[rule](numbers), options(isLogged))
    return Object.assign((key) => limiter.allow(key), { outages: () => limiter.snapshot().outages })
  },
}

process.on('message', async ({ name, numbers, decisions, keys, together }) => {
  const allow = limiters[name](numbers)
  const times = new Float64Array(decisions)
  let next = 0
  let allowed = 0
  const start = performance.now()
  const cpu = process.cpuUsage()
  async function work() {
    while (next < decisions) {
      const index = next++
      const before = performance.now()
      if (await allow(`key ${index % keys}`)) allowed++
      times[index] = performance.now() - before
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  if (allow.outages?.() > 0) throw new Error('An outage')
  times.sort()
  process.send({
    ms,
    cpuUs: user + system,
    allowed,
    p50: times[decisions >> 1],
    p99: times[Math.floor(decisions * 0.99)],
  })
})
process.send('ready')
