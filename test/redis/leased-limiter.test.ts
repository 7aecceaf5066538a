import { createKeyedLimiter, tokenBucket as localBucket } from 'lull/core'
import {
  createLeasedLimiter,
  createRedisLimiter,
  fixedWindow,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type LeasedLimiter,
  type LeasedLimiterOptions,
  type LeaseLostEvent,
  type RedisRule,
  type RunScript,
} from 'lull/redis'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createTestClock } from '../core/time/clocks.ts'
import { startLimits, tracked, withGivenTime } from './servers/limits.ts'

const { limit, run: runOnServer } = await startLimits()

function start(rule: RedisRule, options: Partial<LeasedLimiterOptions> = {}) {
  const clock = createManualClock(60_000 * 1e6)
  let what: boolean | string = false
  const inner = withGivenTime(runOnServer, () => clock.now())
  const { run, calls, settle } = tracked((script, keys, args) =>
    what === true || (what && keys[0]!.endsWith(what))
      ? Promise.reject(new Error('cut'))
      : inner(script, keys, args),
  )
  const lost: LeaseLostEvent[] = []
  const limiter = limit(rule, { run, clock, cacheRefusals: 10_000, onOutage: 'open' })
  const leased = createLeasedLimiter(limiter, {
    share: 10,
    maxAgeMs: 1000,
    clock,
    onEvent: (event) => void lost.push(event),
    ...options,
  })
  /** Makes requests fail: all, or those for a key. */
  const cut = (next: boolean | string): void => void (what = next)
  return { clock, calls, limiter, leased, lost, settle, cut }
}

const slow = tokenBucket({ ratePerSecond: 0.001, burst: 100 })

const count = async (limiter: LeasedLimiter, calls: number, cost = 1): Promise<number> => {
  let passed = 0
  for (let index = 0; index < calls; index++) if (await limiter.allow('key', cost)) passed++
  return passed
}

it('decides from its lease, with one round trip per lease', async () => {
  const { calls, leased, limiter } = start(slow)
  expect(await leased.decide('key')).toEqual({ allowed: true, retryAfterMs: 0, remaining: 99 })
  expect(await leased.decide('key')).toEqual({ allowed: true, retryAfterMs: 0, remaining: 98 })
  expect(await count(leased, 28)).toBe(28)
  expect(calls).toHaveLength(3)
  expect((await limiter.peek('key')).remaining).toBe(70)
})

it('allows exactly the capacity for any cost, then refuses without round trips', async () => {
  for (const cost of [1, 3, 7, 10, 15, 0.5]) {
    const { calls, leased } = start(slow)
    expect(await count(leased, 300, cost)).toBe(Math.floor(100 / cost))
    const before = calls.length
    const refusal = await leased.decide('key', cost)
    expect(refusal.allowed).toBe(false)
    expect(refusal.retryAfterMs).toBeGreaterThan(0)
    expect(calls).toHaveLength(before)
  }
})

it('takes one lease for concurrent calls', async () => {
  const { calls, leased } = start(slow)
  const decisions = await Promise.all(Array.from({ length: 25 }, () => leased.allow('key')))
  expect(decisions.every(Boolean)).toBe(true)
  expect(calls).toHaveLength(3)
})

it('refuses nothing while it holds tokens, however many calls come at once', async () => {
  const { leased } = start(slow)
  const decisions = await Promise.all(Array.from({ length: 100 }, () => leased.allow('key')))
  expect(decisions.every(Boolean)).toBe(true)
})

it('lets no call wait for more than three leases, however small they are', async () => {
  const clock = createManualClock()
  const run: RunScript = async (_, __, [cost]) => {
    await new Promise<void>((resolve) => clock.after(4, resolve))
    return cost === '1' ? 0 : '1 1000'
  }
  const leased = createLeasedLimiter(createRedisLimiter(slow, { run, clock }), { share: 10, clock })
  let decided = 0
  for (let calls = 0; calls < 20; calls++) void leased.allow('key').then(() => decided++)
  // Two round trips for each of those, and two more.
  await clock.advanceAsync(8 * 4)
  expect(decided).toBe(20)
})

it('gives back the rest of an expired lease by a timer', async () => {
  const { clock, leased, limiter, settle } = start(slow)
  await leased.allow('key')
  await leased.allow('other', 4)
  expect(clock.pending).toBe(2)
  clock.advance(999)
  expect((await limiter.peek('key')).remaining).toBe(90)
  clock.advance(1)
  await settle()
  expect((await limiter.peek('key')).remaining).toBe(99)
  expect((await limiter.peek('other')).remaining).toBe(96)
  expect(clock.pending).toBe(0)
})

it('does not use an expired lease, even if its timer is late', async () => {
  const clock = createManualClock(60_000 * 1e6)
  const { leased, calls } = start(slow, { clock: { ...clock, after: () => () => undefined } })
  await leased.allow('key')
  clock.advance(1000)
  await leased.allow('key')
  expect(calls).toHaveLength(3)
})

it('gives back on disposal, also while calls wait for a lease', async () => {
  const { clock, leased, limiter } = start(slow)
  await leased.allow('key')
  const pending = Array.from({ length: 25 }, () => leased.allow('other'))
  leased[Symbol.dispose]()
  await leased[Symbol.asyncDispose]()
  expect((await Promise.all(pending)).every(Boolean)).toBe(true)
  expect((await limiter.peek('key')).remaining).toBe(99)
  expect((await limiter.peek('other')).remaining).toBe(75)
  expect(clock.pending).toBe(0)
})

it('gives back what Redis granted while another key failed', async () => {
  const { leased, limiter, cut } = start(slow)
  cut('bad')
  const good = leased.allow('good')
  await leased.allow('bad')
  expect(await good).toBe(true)
  await leased[Symbol.asyncDispose]()
  expect((await limiter.peek('good')).remaining).toBe(99)
})

it.each(['open', 'closed', 'local'])('decides all calls for a key within one timeout: %s', async (kind) => {
  const clock = createTestClock()
  const local = createKeyedLimiter(localBucket({ ratePerSecond: 0, burst: 20 }), { clock })
  const onOutage = kind === 'local' ? local : (kind as 'open')
  const limiter = limit(slow, { clock, onOutage, timeoutMs: 100, run: () => new Promise(() => undefined) })
  const leased = createLeasedLimiter(limiter, { share: 10, clock })
  let passed = 0
  const calls = Array.from({ length: 20 }, async () => {
    if (await leased.allow('key', 2)) passed++
  })
  await clock.advanceAsync(100)
  await Promise.all(calls)
  expect(passed).toBe({ open: 20, closed: 0, local: 10 }[kind])
  expect(limiter.snapshot()).toMatchObject({ outages: 20, allowed: passed })
})

it('forgets a refusal when tokens come back', async () => {
  const { clock, leased, limiter, settle } = start(tokenBucket({ ratePerSecond: 0.001, burst: 10 }))
  await leased.allow('key')
  expect(await limiter.allow('key')).toBe(false)
  clock.advance(1000)
  await settle()
  expect(await limiter.allow('key', 9)).toBe(true)
})

it('reports an amount that it could not give back', async () => {
  const { leased, lost, cut } = start(slow)
  await leased.allow('key')
  cut(true)
  await leased[Symbol.asyncDispose]()
  expect(lost).toEqual([{ type: 'lost', key: 'key', amount: 9, error: new Error('cut') }])
})

it.each(['itself', 'wrapped'])('gives back nothing not taken in Redis: the limiter %s', async (how) => {
  const { clock, limiter, settle, cut, ...started } = start(slow)
  const wrapped = { ...limiter, decide: (key: string, cost?: number) => limiter.decide(key, cost) }
  const leased = how === 'itself' ? started.leased : createLeasedLimiter(wrapped, { share: 10, clock })
  await limiter.allow('key', 50)
  cut(true)
  expect(await leased.allow('key')).toBe(true)
  cut(false)
  clock.advance(1000)
  await settle()
  expect((await limiter.peek('key')).remaining).toBe(50)
})

it.each([false, true])('drops the lease of a deleted key, also while asked for: %s', async (isAsked) => {
  const { leased, limiter } = start(slow)
  const taken = leased.allow('key', 5)
  if (!isAsked) await taken
  await leased.delete('key')
  await leased[Symbol.asyncDispose]()
  expect((await limiter.peek('key')).remaining).toBe(100)
})

it('allows no more than the limit after a deletion, whatever calls wait', async () => {
  const { leased } = start(slow)
  const before = Array.from({ length: 15 }, () => leased.allow('key'))
  const deleted = leased.delete('key')
  const after = Array.from({ length: 15 }, () => leased.allow('key'))
  await Promise.all([deleted, ...before])
  let passed = await count(leased, 200)
  for (const allowed of await Promise.all(after)) passed += Number(allowed)
  expect(passed).toBeLessThanOrEqual(100)
})

it.each([
  ['fixedWindow', fixedWindow({ limit: 100, windowMs: 60_000 }), 100],
  ['slidingWindowLog', slidingWindowLog({ limit: 100, windowMs: 60_000 }), 99],
  ['slidingWindowCounter', slidingWindowCounter({ limit: 100, windowMs: 60_000 }), 99],
])('gives back to the window of the lease: %s', async (_, rule, left) => {
  const { clock, leased, limiter, settle } = start(rule, { maxAgeMs: 10_000 })
  clock.advance(45_000)
  await leased.allow('key')
  clock.advance(10_000)
  await settle()
  expect((await limiter.peek('key')).remaining).toBe(99)
  await leased.allow('key')
  clock.advance(10_000)
  await settle()
  // A fixed window that began later owes nothing.
  expect((await limiter.peek('key')).remaining).toBe(left - Number(left < 100 && rule.name === 'log'))
})

it('throws on invalid options and rejects invalid costs', async () => {
  const limiter = createRedisLimiter(slow, { run: () => Promise.resolve('0 0') })
  for (const bad of [{ share: 0 }, { share: NaN }, { share: 101 }, { share: 1, maxAgeMs: 0 }])
    expect(() => createLeasedLimiter(limiter, bad)).toThrow(RangeError)
  expect(() => createLeasedLimiter(limiter, { share: 1, onEvent: 5 as never })).toThrow(TypeError)
  const leased = createLeasedLimiter(limiter, { share: 1 })
  await expect(leased.allow('key', -1)).rejects.toBeInstanceOf(RangeError)
  await expect(leased.allow('key', '1' as never)).rejects.toBeInstanceOf(TypeError)
})
