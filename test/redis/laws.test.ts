import fc from 'fast-check'
import {
  createRedisLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  withIoredis,
  type RedisLimiter,
  type RedisRule,
} from 'lull/redis'
import { describe, expect, it } from 'vitest'
import { withGivenTime } from './given-time.ts'
import { startServer } from './servers/server.ts'

const server = await startServer([], 'file')
const client = server.connect()
let prefixes = 0
let now = 0

/** A limiter whose time is `now`, with nothing taken yet. */
function start(rule: RedisRule, at = 2 ** 40): RedisLimiter {
  now = at
  return createRedisLimiter(rule, {
    run: withGivenTime(withIoredis(client), () => now),
    prefix: `${prefixes++}:`,
    timeoutMs: 50_000,
    cacheRefusals: 0,
    onOutage: 'closed',
  })
}

/** What was let through, and when. */
interface Passing {
  at: number
  cost: number
}

const sum = (passings: readonly Passing[]): number => passings.reduce((all, { cost }) => all + cost, 0)

/** The most over any time that begins and ends with a passing: nothing else can be over. */
const overAnyTime =
  (most: (ms: number) => number) =>
  (passings: readonly Passing[]): void => {
    for (const [first, { at: from }] of passings.entries())
      for (let last = first; last < passings.length; last++)
        expect(sum(passings.slice(first, last + 1))).toBeLessThanOrEqual(
          most(passings[last]!.at - from) * (1 + 1e-12),
        )
  }

const WINDOW_MS = 60_000

const inWindows =
  (limit: number) =>
  (passings: readonly Passing[]): void => {
    for (const { at } of passings) {
      const index = Math.floor(at / WINDOW_MS)
      const same = passings.filter((other) => Math.floor(other.at / WINDOW_MS) === index)
      expect(sum(same)).toBeLessThanOrEqual(limit)
    }
  }

const inLastWindow =
  (limit: (passings: readonly Passing[], at: number) => number) =>
  (passings: readonly Passing[]): void => {
    for (const { at } of passings) {
      const recent = passings.filter((other) => other.at <= at && at - other.at < WINDOW_MS)
      expect(sum(recent)).toBeLessThanOrEqual(limit(passings, at))
    }
  }

/** The counter is off by at most previous · max(f, 1 − f), and floors. */
function counterMost(passings: readonly Passing[], at: number): number {
  const index = Math.floor(at / WINDOW_MS)
  const previous = sum(passings.filter((other) => Math.floor(other.at / WINDOW_MS) === index - 1))
  const f = at / WINDOW_MS - index
  return 6 + 1 + previous * Math.max(f, 1 - f)
}

const rate = { ratePerSecond: 0.05 }
const rules = [
  {
    name: 'tokenBucket',
    rule: tokenBucket({ ...rate, burst: 4 }),
    check: overAnyTime((ms) => (0.05 * ms) / 1000 + 4),
  },
  {
    name: 'tokenBucket, slow start',
    rule: tokenBucket({ ...rate, burst: 4, initial: 1 }),
    check: overAnyTime((ms) => (0.05 * ms) / 1000 + 4),
  },
  { name: 'gcra', rule: gcra({ ...rate, burst: 4 }), check: overAnyTime((ms) => (0.05 * ms) / 1000 + 4) },
  {
    name: 'leakyBucket',
    rule: leakyBucket({ ...rate, capacity: 4 }),
    check: overAnyTime((ms) => (0.05 * ms) / 1000 + 4),
  },
  { name: 'fixedWindow', rule: fixedWindow({ limit: 6, windowMs: WINDOW_MS }), check: inWindows(6) },
  {
    name: 'slidingWindowLog',
    rule: slidingWindowLog({ limit: 6, windowMs: WINDOW_MS }),
    check: inLastWindow(() => 6),
  },
  {
    name: 'slidingWindowCounter',
    rule: slidingWindowCounter({ limit: 6, windowMs: WINDOW_MS }),
    check: inLastWindow(counterMost),
  },
]

const step = fc.tuple(
  fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.double({ min: 0, max: 90_000, noNaN: true })),
  fc.constantFrom(1, 1, 1, 2, 0.5, 3),
)
const few = { numRuns: 20, seed: 1 }

describe.each(rules)('$name', ({ rule, check }) => {
  it('never lets more pass than it allows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const limiter = start(rule)
        const passings: Passing[] = []
        for (const [elapsedMs, cost] of steps) {
          now += elapsedMs
          if (await limiter.allow('key', cost)) passings.push({ at: now, cost })
        }
        check(passings)
      }),
      few,
    )
  })

  it('allows after exactly the time to wait, and not before a refusal would say 0', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0, max: 2 ** 41, noNaN: true }),
        fc.array(step, { minLength: 5, maxLength: 30 }),
        async (begin, steps) => {
          const limiter = start(rule, begin)
          for (const [elapsedMs, cost] of steps) {
            now += elapsedMs
            const { allowed, retryAfterMs } = await limiter.decide('key', cost)
            if (allowed) {
              expect(retryAfterMs).toBe(0)
              continue
            }
            expect(retryAfterMs).toBeGreaterThan(0)
            expect(await limiter.peek('key', cost)).toMatchObject({ allowed: false, retryAfterMs })
            now += retryAfterMs
            expect(await limiter.allow('key', cost)).toBe(true)
          }
        },
      ),
      few,
    )
  })

  it('takes and writes nothing with a refusal or a look', async () => {
    const limiter = start(rule)
    const name = `${prefixes - 1}:${rule.name}:key`
    await limiter.peek('key')
    expect(await client.exists(name)).toBe(0)
    while (await limiter.allow('key')) now++
    const state = await client.dump(name)
    const before = await limiter.peek('key')
    for (const cost of [1, 2, 1]) expect(await limiter.allow('key', cost)).toBe(false)
    expect(await limiter.peek('key')).toEqual(before)
    expect(await client.dump(name)).toEqual(state)
  })

  it('refuses for ever what is above its capacity, and allows what costs nothing', async () => {
    const limiter = start(rule)
    const { remaining } = await limiter.peek('key')
    expect(await limiter.decide('key', 7)).toEqual({ allowed: false, retryAfterMs: Infinity, remaining })
    expect(await limiter.decide('key', Infinity)).toMatchObject({ allowed: false, retryAfterMs: Infinity })
    while (await limiter.allow('key')) now++
    expect(await limiter.allow('key', 0)).toBe(true)
  })

  it('gives nothing when the clock of the server is set back, and goes on from there', async () => {
    const limiter = start(rule)
    while (await limiter.allow('key')) now++
    now -= 1e9
    const { allowed, retryAfterMs } = await limiter.decide('key')
    expect(allowed).toBe(false)
    expect(retryAfterMs).toBeLessThanOrEqual(2 * WINDOW_MS)
    now += retryAfterMs
    expect(await limiter.allow('key')).toBe(true)
  })

  it('gives no more than it holds after a long rest', async () => {
    const limiter = start(rule)
    await limiter.allow('key')
    now += 1e10
    let passed = 0
    while (await limiter.allow('key')) passed++
    expect(passed).toBe(rule.burst)
  })

  it('gives back what still counts, and no more', async () => {
    const limiter = start(rule, 2 ** 40 - (2 ** 40 % WINDOW_MS))
    now += 1e10 - (1e10 % WINDOW_MS)
    await limiter.allow('key', 0)
    const { remaining } = await limiter.peek('key')
    await limiter.giveBack('nobody', 100, 0)
    expect((await limiter.peek('nobody')).remaining).toBeLessThanOrEqual(rule.burst)
    await limiter.allow('key', remaining)
    now += 10
    await limiter.giveBack('key', 1, 10)
    expect((await limiter.peek('key')).remaining).toBe(1)
    expect(await limiter.allow('key')).toBe(true)
    expect(await limiter.allow('key')).toBe(false)
    now += 1e10
    await limiter.giveBack('key', 1, 1e10)
    expect((await limiter.peek('key')).remaining).toBe(rule.burst)
  })
})

it.each([
  ['tokenBucket', tokenBucket({ ratePerSecond: 1000 / 7001, burst: 3 })],
  ['gcra', gcra({ ratePerSecond: 1000 / 7001, burst: 3 })],
])('%s, drained, lets one pass at each step of 1 / rate', async (_, rule) => {
  const limiter = start(rule, 0)
  while (await limiter.allow('key'));
  for (let index = 0; index < 150; index++) {
    now += 7001
    expect([await limiter.allow('key'), await limiter.allow('key')]).toEqual([true, false])
  }
})

it.each([
  ['tokenBucket', tokenBucket({ ratePerSecond: 0, burst: 2 })],
  ['gcra', gcra({ ratePerSecond: 0, burst: 2 })],
  ['fixedWindow', fixedWindow({ limit: 2, windowMs: Infinity })],
])('%s that never refills has the first level and no more', async (_, rule) => {
  const limiter = start(rule)
  expect([await limiter.allow('key'), await limiter.allow('key')]).toEqual([true, true])
  now += 1e11
  expect(await limiter.decide('key')).toEqual({ allowed: false, retryAfterMs: Infinity, remaining: 0 })
})

it.each([
  ['tokenBucket', tokenBucket({ ratePerSecond: Infinity, burst: 0 })],
  ['gcra', gcra({ ratePerSecond: Infinity, burst: 0 })],
  ['fixedWindow', fixedWindow({ limit: Infinity, windowMs: 1000 })],
])('%s without a limit lets everything pass and asks nobody', async (_, rule) => {
  const limiter = createRedisLimiter(rule, { run: () => Promise.reject(new Error('asked')) })
  expect(await limiter.allow('key', 1e9)).toBe(true)
  expect(limiter.snapshot()).toMatchObject({ allowed: 1, outages: 0 })
})

it.each([
  ['tokenBucket', tokenBucket({ ratePerSecond: 1, burst: 0 })],
  ['gcra', gcra({ ratePerSecond: 1, burst: 0 })],
  ['fixedWindow', fixedWindow({ limit: 0, windowMs: WINDOW_MS })],
  ['slidingWindowLog', slidingWindowLog({ limit: 0, windowMs: WINDOW_MS })],
  ['slidingWindowCounter', slidingWindowCounter({ limit: 0, windowMs: WINDOW_MS })],
])('%s of size 0 lets nothing pass that costs something', async (_, rule) => {
  const limiter = start(rule)
  expect(await limiter.decide('key')).toEqual({ allowed: false, retryAfterMs: Infinity, remaining: 0 })
  expect(await limiter.allow('key', 0)).toBe(true)
})

it('a bucket without a size lets everything pass that has come', async () => {
  const limiter = start(tokenBucket({ ratePerSecond: 1, burst: Infinity, initial: 2 }))
  expect([await limiter.allow('key', 2), await limiter.allow('key')]).toEqual([true, false])
  now += 1e9
  expect(await limiter.allow('key', 1e6)).toBe(true)
})
