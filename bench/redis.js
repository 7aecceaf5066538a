// Compares limits in Redis with rate-limiter-flexible: decisions per second of four processes, and the cost of a refusal. Checks
// that no bound is exceeded. npm run redis: writes docs/results/redis.md; with --quick, runs a tenth and only prints.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startRedis } from '../scripts/start-redis.js'
import { table } from './markdown-table.js'
import { median } from './measure.js'

const PROCESSES = 4
const TOGETHER = 32
const isQuick = process.argv.includes('--quick')
const DECISIONS = isQuick ? 100_000 : 1_000_000
const ROUNDS = 10

const { port } = await startRedis()
const client = new Redis(port, '127.0.0.1')
client.on('error', () => undefined)
const version = /redis_version:(.*)\r/.exec(await client.info('server'))[1]
const dist = join(import.meta.dirname, '../dist')
const children = Array.from({ length: PROCESSES }, () =>
  // A worker that ends has failed, and would never reply.
  fork(join(import.meta.dirname, 'redis/worker.js'), [String(port), dist]).on('exit', () => process.exit(1)),
)
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
await Promise.all(children.map((child) => once(child, 'message')))

/** The CPU time of the server until now, in µs. */
async function serverUs() {
  const info = await client.info('cpu')
  const [sys, user] = ['sys', 'user'].map((name) =>
    Number(new RegExp(`used_cpu_${name}:(.*)\\r`).exec(info)[1]),
  )
  return (sys + user) * 1e6
}

/** Makes `workers` decide `decisions` times together. */
async function decide(decisions, job, workers = children) {
  const each = Math.floor(decisions / workers.length)
  const before = performance.now()
  const serverBefore = await serverUs()
  const replies = await Promise.all(
    workers.map(async (child) => {
      child.send({ together: TOGETHER, keys: 1000, ...job, decisions: each })
      return (await once(child, 'message'))[0]
    }),
  )
  const ms = performance.now() - before
  const cpuUs = replies.reduce((sum, { cpuUs }) => sum + cpuUs, 0) + (await serverUs()) - serverBefore
  return {
    cpuUs: cpuUs / (each * workers.length),
    perSecond: (each * workers.length * 1000) / ms,
    allowed: replies.reduce((sum, { allowed }) => sum + allowed, 0),
    p50: Math.max(...replies.map(({ p50 }) => p50)),
    p99: Math.max(...replies.map(({ p99 }) => p99)),
  }
}

/** Allowed decisions on a thousand keys. The rounds take turns, so that other load on the machine affects all alike. */
async function compareDecisions() {
  const large = 1e9
  const jobs = {
    'rate-limiter-flexible: RateLimiterRedis': {
      name: 'rate-limiter-flexible',
      numbers: { limit: large, windowMs: 60_000 },
    },
    'lull: tokenBucket': {
      name: 'lull',
      numbers: { rule: 'tokenBucket', ratePerSecond: large, burst: large },
    },
    'lull: fixedWindow': { name: 'lull', numbers: { rule: 'fixedWindow', limit: large, windowMs: 60_000 } },
  }
  const rounds = Object.fromEntries(Object.keys(jobs).map((name) => [name, []]))
  for (const job of Object.values(jobs)) await decide(20_000, job)
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, job] of Object.entries(jobs)) rounds[name].push(await decide(DECISIONS / ROUNDS, job))
  const [theirs] = Object.values(rounds)
  return Object.entries(rounds).map(([name, all]) => ({
    name,
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    ratio: median(all.map(({ perSecond }) => perSecond)) / median(theirs.map(({ perSecond }) => perSecond)),
    cpuUs: median(all.map(({ cpuUs }) => cpuUs)),
    cpuRatio: median(theirs.map(({ cpuUs }) => cpuUs)) / median(all.map(({ cpuUs }) => cpuUs)),
    p50: median(all.map(({ p50 }) => p50)),
    p99: median(all.map(({ p99 }) => p99)),
  }))
}

/** Refusals of one key in one process, in µs each. */
async function compareRefusals() {
  const [worker] = children
  const cost = async (decisions, job) => {
    const { perSecond, allowed } = await decide(decisions, { ...job, keys: 1 }, [worker])
    if (allowed > 0) throw new Error('Not refused')
    return 1e6 / perSecond
  }
  const lull = { name: 'lull', numbers: { rule: 'tokenBucket', ratePerSecond: 1e-6, burst: 100 } }
  const other = { name: 'rate-limiter-flexible', numbers: { limit: 100, windowMs: 6e6 } }
  const scale = isQuick ? 100 : 10
  const jobs = [
    ['rate-limiter-flexible: RateLimiterRedis', 100_000, other],
    [
      'rate-limiter-flexible: with inMemoryBlockOnConsumed',
      1_000_000,
      { ...other, numbers: { ...other.numbers, isBlocked: true } },
    ],
    ['lull: tokenBucket', 1_000_000, lull],
  ]
  const rows = jobs.map(([name]) => ({ name, all: [] }))
  // Uses up the limit first.
  for (const [, , job] of jobs) await decide(2000, { ...job, keys: 1 }, [worker])
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, [, decisions, job]] of jobs.entries())
      rows[index].all.push(await cost(decisions / scale, job))
  return rows.map(({ name, all }) => ({ name, us: median(all) }))
}

const RATE_PER_SECOND = 2000
const BURST = 500
const WINDOW_MS = 250
const rate = { ratePerSecond: RATE_PER_SECOND, burst: BURST }
const window = { limit: BURST, windowMs: WINDOW_MS }
const bounds = {
  tokenBucket: [rate, overAnyTime],
  gcra: [rate, overAnyTime],
  leakyBucket: [{ ratePerSecond: RATE_PER_SECOND, capacity: BURST }, overAnyTime],
  fixedWindow: [window, overWindows],
  slidingWindowLog: [window, overLastWindow],
  slidingWindowCounter: [window, overEstimate],
}

/** The most by which the admissions in any time exceed rate · time + burst. */
function overAnyTime(times) {
  let most = -Infinity
  let least = Infinity
  for (const [index, at] of times.entries()) {
    const above = index - (at / 1000) * RATE_PER_SECOND
    least = Math.min(least, above)
    most = Math.max(most, above + 1 - least - BURST)
  }
  return most
}

const windowOf = (at) => Math.floor(at / WINDOW_MS)

/** The number of admissions in each aligned window. */
function countsOf(times) {
  const counts = new Map()
  for (const at of times) counts.set(windowOf(at), (counts.get(windowOf(at)) ?? 0) + 1)
  return counts
}

function overWindows(times) {
  return Math.max(...countsOf(times).values()) - BURST
}

/** The most by which the admissions in the window before any instant exceed the limit and `errorAt` that instant. */
function overLastWindow(times, errorAt = () => 0) {
  let most = -Infinity
  let first = 0
  for (const [index, at] of times.entries()) {
    while (at - times[first] >= WINDOW_MS) first++
    most = Math.max(most, index + 1 - first - BURST - errorAt(at))
  }
  return most
}

/** The bound is the limit plus the error of the estimate, previous · max(f, 1 − f), rounded up. */
function overEstimate(times) {
  const counts = countsOf(times)
  return overLastWindow(times, (at) => {
    const f = at / WINDOW_MS - windowOf(at)
    return (counts.get(windowOf(at) - 1) ?? 0) * Math.max(f, 1 - f) + 1
  })
}

/** Makes a million decisions on one key by each rule, all by the server and most refused. Checks the log of the takes. */
async function checkBounds() {
  const rows = []
  for (const [rule, [numbers, over]] of Object.entries(bounds)) {
    await client.flushall()
    await client.config('RESETSTAT')
    const { allowed, perSecond } = await decide(DECISIONS, {
      name: 'lull',
      keys: 1,
      numbers: { rule, isLogged: true, ...numbers },
    })
    const stats = await client.info('commandstats')
    const reached = Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)[1])
    if (reached < DECISIONS) throw new Error(`${rule}: only ${reached} decisions reached the server`)
    const [log] = (await client.keys('*log')).filter((name) => name.startsWith('{'))
    const times = (await client.lrange(log, 0, -1)).map(Number)
    if (times.length !== allowed) throw new Error(`${rule}: ${allowed} allowed, ${times.length} in the log`)
    // Only the last bit of an instant is rounded.
    const most = over(times)
    if (most > 1e-3) throw new Error(`${rule} was over its bound by ${most}`)
    rows.push({ rule, allowed, reached, perSecond, most })
    console.log(`${rule}: ${allowed} of ${DECISIONS} allowed, at most ${Math.round(most)} over`)
  }
  return rows
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

const decisions = await compareDecisions()
console.table(decisions)
const refusals = await compareRefusals()
console.table(refusals)
const checked = await checkBounds()
const theirs = refusals[0].us

const page = `# Limits in Redis, measured

\`npm ci --prefix bench && npm run redis --prefix bench\` writes this page: Redis ${version} and ${PROCESSES} processes, each with ioredis and ${TOGETHER} calls in progress, on one machine (${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}).

## Decisions that are allowed

${whole.format(DECISIONS)} each on a thousand keys, in ${ROUNDS} rounds in which the limiters take turns; the figures are their medians. p50 and p99: the time of a decision under that load, in the slowest process. CPU: the CPU time of
the processes and the server for a decision, which other work on the machine affects less. ×: how many times better than the first row.

${table([
  ['limiter', 'decisions a second', '×', 'CPU', '×', 'p50', 'p99'],
  ...decisions.map(({ name, perSecond, ratio, cpuUs, cpuRatio, p50, p99 }) => [
    name,
    whole.format(perSecond),
    `${ratio.toFixed(2)} ×`,
    `${cpuUs.toFixed(1)} µs`,
    `${cpuRatio.toFixed(2)} ×`,
    `${p50.toFixed(1)} ms`,
    `${p99.toFixed(1)} ms`,
  ]),
])}

## Refusals of a hot key

One process and one key with no tokens left. lull caches a refusal until the call may pass, unless \`cacheRefusals\` is 0.

${table([
  ['limiter', 'a refusal', 'times cheaper'],
  ...refusals.map(({ name, us }) => [name, `${us.toFixed(2)} µs`, `${(theirs / us).toFixed(1)} ×`]),
])}

## Never over the bound

${whole.format(DECISIONS)} decisions of four processes on one key by each rule. No refusal is cached, so the server makes every decision: ${whole.format(RATE_PER_SECOND)} a second with a burst of ${BURST}, or ${BURST} in ${WINDOW_MS} ms. The limiter's script also logs the
server's instants, and the script of this page checks the whole log. Over: by how much the bound is exceeded at most (below 0: it is not reached).

${table([
  ['rule', 'made by the server', 'decisions a second', 'allowed', 'over'],
  ...checked.map(({ rule, reached, perSecond, allowed, most }) => [
    `\`${rule}\``,
    whole.format(reached),
    whole.format(perSecond),
    whole.format(allowed),
    most > -0.5 ? '0' : whole.format(most),
  ]),
])}
`
if (!isQuick) writeFileSync(join(import.meta.dirname, '../docs/results/redis.md'), page)
process.exit()
