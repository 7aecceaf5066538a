import fc from 'fast-check'
import { createLimiter } from 'lull/core'
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
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import type { Of } from '../laws/steps.ts'
import { forAllAsync } from '../laws/tries.ts'
import { edgePairs, kinds, rulePairs, type RulePair } from './rules.ts'
import { startLimits, withGivenTime } from './servers/limits.ts'

const { server, client, run, limit } = await startLimits()
let now = 0

/** A limiter whose server time is `now`. */
function start(rule: RedisRule, at = 2 ** 40, prefix?: string): RedisLimiter {
  now = at
  return limit(rule, { run: withGivenTime(run, () => now), ...(prefix !== undefined && { prefix }) })
}

const WINDOW_MS = 60_000

const rate = { ratePerSecond: 0.05 }
const window = { limit: 6, windowMs: WINDOW_MS }
const rules = {
  tokenBucket: tokenBucket({ ...rate, burst: 4 }),
  'tokenBucket, slow start': tokenBucket({ ...rate, burst: 4, initial: 1 }),
  gcra: gcra({ ...rate, burst: 4 }),
  leakyBucket: leakyBucket({ ...rate, capacity: 4 }),
  fixedWindow: fixedWindow(window),
  slidingWindowLog: slidingWindowLog(window),
  slidingWindowCounter: slidingWindowCounter(window),
}

const step = fc.record({
  op: fc.constantFrom('decide' as const, 'decide' as const, 'decide' as const, 'peek' as const),
  cost: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(1, 1, 1, 2, 0, 0.5, 3) },
    // Exceeds the capacity.
    { weight: 1, arbitrary: fc.constantFrom(7, Infinity) },
  ),
  // Includes steps back, as when the clock is set.
  elapsedMs: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -50_000, max: -1 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 10_000_000 }) },
  ),
})

/** Expects the decisions of `shared` to be those of `local`, from an instant on. */
async function compare(
  { shared, local }: RulePair,
  begin: number,
  steps: readonly Of<typeof step>[],
): Promise<void> {
  const limiter = start(shared, begin)
  // A limit begins with its first decision.
  const expected = createLimiter(local, { clock: createManualClock(begin) })
  expect(await limiter.decide('ada')).toEqual(expected.decide(1, begin))
  for (const { op, cost, elapsedMs } of steps) {
    // A refusal prunes the log in memory, but writes nothing here: do not move its time back.
    const least = shared.name === 'log' ? now : 0
    const before = now
    now = Math.max(now + elapsedMs, least)
    // After a step back, a peek in memory rounds its wait differently: use `decide`.
    const act = now < before ? 'decide' : op
    const decision = await limiter[act]('ada', cost)
    expect(decision, `${act} ${cost} at ${now}`).toEqual(expected[act](cost, now))
  }
  expect(limiter.snapshot().outages).toBe(0)
}

it.each([...rulePairs, ...edgePairs])('$name decides step by step as in memory', async (pair) => {
  await forAllAsync(
    3000,
    fc.integer({ min: 0, max: 2 ** 41 - 1e9 }),
    fc.array(step, { minLength: 5, maxLength: 30 }),
    (begin, steps) => compare(pair, begin, steps),
  )
})

/** A multiple of 1 / 1024: sums of these are exact up to 2^43. */
const exact = (ms: number): number => Math.round(ms * 1024) / 1024

const power = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: min * 100, max: max * 100 }).map((exponent) => 10 ** (exponent / 100))

it('any rule decides step by step as in memory, from 1e-6 to 1e9 a second', async () => {
  const part = fc.integer({ min: 0, max: 1024 }).map((count) => count / 1024)
  const numbers = fc.record({
    kind: fc.constantFrom(...kinds),
    ratePerSecond: power(-6, 9),
    size: fc.oneof(power(0, 3).map(Math.ceil), power(-1, 2)),
    windowMs: power(0, 10).map(exact),
    initial: part,
  })
  const moves = fc.record({
    op: fc.constantFrom('decide' as const, 'decide' as const, 'peek' as const),
    cost: fc.oneof(fc.constantFrom(0, 1, 1, 2, 1e15), part),
    isPart: fc.boolean(),
    elapsed: fc.oneof(fc.constantFrom(0, 0, -0.5, 10), part),
  })
  await forAllAsync(
    15_000,
    numbers,
    fc.integer({ min: 0, max: 2 ** 41 }),
    fc.array(moves, { minLength: 5, maxLength: 30 }),
    async ({ kind, ...given }, begin, all) => {
      const { shared, local } = kind(given)
      const { burst, keepMs } = shared
      const steps = all.map(({ op, cost, isPart, elapsed }) => ({
        op,
        cost: isPart ? cost * burst : cost,
        elapsedMs: exact(Math.min(elapsed * keepMs, 1e11)),
      }))
      // Its keys must not expire during the test.
      await compare({ name: '', local, shared: { ...shared, keepMs: 1e9 } }, begin, steps)
    },
  )
})

it.each(rulePairs)(
  'four clients with connections of their own together pass only what the rule allows: $name',
  async ({ name, shared, local }) => {
    now = 2 ** 40
    const clients = Array.from({ length: 4 }, () =>
      limit(shared, { run: withGivenTime(withIoredis(server.connect()), () => now), prefix: 'four:' }),
    )
    const expected = createLimiter(local, { clock: createManualClock(now) })
    for (let round = 0; round < 5; round++) {
      const calls = clients.flatMap((each) => Array.from({ length: 5 }, () => each.allow(name)))
      const passed = calls.filter(() => expected.allow(1, now)).length
      expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(passed)
      now += 45_000
    }
  },
)

describe.each(Object.entries(rules))('%s', (_, rule: RedisRule) => {
  it('takes and writes nothing on a refusal or a peek', async () => {
    const limiter = start(rule, 2 ** 40, 'laws:')
    const name = `laws:${rule.name}:key`
    await client.del(name)
    await limiter.peek('key')
    expect(await client.exists(name)).toBe(0)
    while (await limiter.allow('key')) now++
    const state = await client.dump(name)
    const before = await limiter.peek('key')
    for (const cost of [1, 2, 1]) expect(await limiter.allow('key', cost)).toBe(false)
    expect(await limiter.peek('key')).toEqual(before)
    expect(await client.dump(name)).toEqual(state)
  })

  it('adds nothing when the server clock is set back, and continues from there', async () => {
    const limiter = start(rule)
    while (await limiter.allow('key')) now++
    now -= 1e9
    const { allowed, retryAfterMs } = await limiter.decide('key')
    expect(allowed).toBe(false)
    expect(retryAfterMs).toBeLessThanOrEqual(2 * WINDOW_MS)
    now += retryAfterMs
    expect(await limiter.allow('key')).toBe(true)
  })

  it('gives back only what still counts', async () => {
    const limiter = start(rule, 2 ** 40 - (2 ** 40 % WINDOW_MS))
    now += 1e10 - (1e10 % WINDOW_MS)
    await limiter.allow('key', 0)
    const { remaining } = await limiter.peek('key')
    await limiter.giveBack('nobody', 100, 0)
    expect((await limiter.peek('nobody')).remaining).toBeLessThanOrEqual(rule.burst)
    await limiter.allow('key', remaining)
    now += 10
    // Its message took 1 ms longer than that of the take.
    await limiter.giveBack('key', 1, 9)
    expect((await limiter.peek('key')).remaining).toBe(1)
    expect(await limiter.allow('key')).toBe(true)
    expect(await limiter.allow('key')).toBe(false)
    now += 1e10
    await limiter.giveBack('key', 1, 1e10)
    expect((await limiter.peek('key')).remaining).toBe(rule.burst)
    // From several takes, and at most what was taken.
    for (const amount of [3, 3]) {
      for (let take = 0; take < 3; take++) {
        expect(await limiter.allow('key')).toBe(true)
        now += 1
      }
      await limiter.giveBack('key', amount, 10)
      expect((await limiter.peek('key')).remaining).toBe(rule.burst)
    }
    await limiter.allow('key', 2)
    now += 1
    await limiter.giveBack('key', 4, 1)
    expect((await limiter.peek('key')).remaining).toBe(rule.burst)
    // What was taken earlier does not come back in place of what counts.
    now += WINDOW_MS
    await limiter.allow('key', 2)
    now += WINDOW_MS / 2
    const { remaining: left } = await limiter.peek('key')
    await limiter.giveBack('key', 1, 2 * WINDOW_MS)
    if (rule.burst === window.limit) expect((await limiter.peek('key')).remaining).toBe(left)
  })
})

const slow = { ratePerSecond: 1e-4, burst: 40 }
const long = { limit: 40, windowMs: 1e7 }

it.each([
  ['tokenBucket', tokenBucket(slow), rules.tokenBucket],
  ['gcra', gcra(slow), rules.gcra],
  ['leakyBucket', leakyBucket({ ratePerSecond: 1e-4, capacity: 40 }), rules.leakyBucket],
  ['fixedWindow', fixedWindow(long), rules.fixedWindow],
  ['slidingWindowLog', slidingWindowLog(long), rules.slidingWindowLog],
  ['slidingWindowCounter', slidingWindowCounter(long), rules.slidingWindowCounter],
])('%s refuses no longer than its numbers say after a stricter one used the key', async (_, before, rule) => {
  await start(before, 2 ** 40, 'changed:').allow('key', 40)
  const limiter = start(rule, now + 1, 'changed:')
  const { retryAfterMs } = await limiter.decide('key', rule.burst - 1)
  expect(retryAfterMs).toBeLessThanOrEqual(rule.keepMs)
})

it.each([
  ['tokenBucket', tokenBucket({ ratePerSecond: Infinity, burst: 0 })],
  ['gcra', gcra({ ratePerSecond: Infinity, burst: 0 })],
  ['fixedWindow', fixedWindow({ limit: Infinity, windowMs: 1000 })],
  ['slidingWindowLog', slidingWindowLog({ limit: Infinity, windowMs: 1000 })],
])('%s without a limit allows everything without a call to Redis', async (_, rule) => {
  const limiter = createRedisLimiter(rule, { run: () => Promise.reject(new Error('called')) })
  expect(await limiter.allow('key', 1e9)).toBe(true)
  expect(limiter.snapshot()).toMatchObject({ allowed: 1, outages: 0 })
})
