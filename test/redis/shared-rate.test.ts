import { createLimiter, createWaitingLimiter, tokenBucket } from 'lull/core'
import { createSharedRate, type RunScript, type SharedRateEvent, type SharedRateOptions } from 'lull/redis'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTestClock } from '../core/time/clocks.ts'
import { letTimeGoOn } from '../tabs/fake-tabs.ts'
import { startLimits, tracked, withGivenTime } from './servers/limits.ts'

const { client, run: runOnServer } = await startLimits()
let groups = 0

/** A waiting limiter that is the only member of its group, with the replies of `run`. */
function startAlone(run: RunScript, rule = tokenBucket({ ratePerSecond: 1, burst: 1 })) {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(rule, { clock })
  const rate = createSharedRate(limiter, { run, group: 'g', member: 'm', ratePerSecond: 100, clock })
  return { clock, limiter, rate }
}

/** Members of a group of 100 a second, on one clock shared with the server. */
function startGroup(...names: string[]) {
  const clock = createTestClock(1e12)
  const group = `group ${groups++}`
  const cut = new Set<string>()
  const { run, settle } = tracked(withGivenTime(runOnServer, () => clock.now()))
  const members = new Map<string, ReturnType<typeof join>>()

  function join(member: string, options: Partial<SharedRateOptions> = {}) {
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 7, burst: 1 }), { clock })
    const events: SharedRateEvent[] = []
    const rate = createSharedRate(limiter, {
      run: (...call) => (cut.has(member) ? Promise.reject(new Error('cut')) : run(...call)),
      group,
      member,
      ratePerSecond: 100,
      clock,
      onEvent: (event) => void events.push(event),
      ...options,
    })
    const calls = (count: number): number => {
      for (let index = 0; index < count; index++) limiter.allow()
      return limiter.snapshot().ratePerSecond
    }
    const joined = { rate, calls, events }
    members.set(member, joined)
    return joined
  }

  /** Advances by periods; each member gets the given number of events per period. */
  async function pass(periods: number, demands: Record<string, number> = {}): Promise<void> {
    await settle()
    for (let period = 0; period < periods; period++) {
      for (const [member, demand] of Object.entries(demands)) members.get(member)!.calls(demand)
      clock.advance(1000)
      await settle()
    }
  }

  const shares = (): Record<string, number> =>
    Object.fromEntries([...members].map(([name, { calls }]) => [name, Math.round(calls(0) * 100) / 100]))

  onTestFinished(async () => {
    for (const { rate } of members.values()) await rate[Symbol.asyncDispose]()
  })
  const joined = names.map((name) => join(name))
  return { clock, group, cut, join, joined, pass, settle, shares }
}

it('gives each member its demand and a part of the unused rate', async () => {
  const { pass, shares } = startGroup('a', 'b', 'c')
  await pass(4, { a: 10, b: 20 })
  // Each member gets one a second more than its demand: 11 + 21 + 1, and a third of the remaining 67.
  expect(shares()).toEqual({ a: 33.33, b: 43.33, c: 23.33 })
})

it('is max-min fair when the demand exceeds the rate', async () => {
  const { pass, shares } = startGroup('a', 'b', 'c', 'd')
  await pass(5, { a: 9, b: 29, c: 500, d: 10_000 })
  // 10 and 30 are at most an even part of the rest; the others get 30 each.
  expect(shares()).toEqual({ a: 10, b: 30, c: 30, d: 30 })
})

it('never assigns a share that another member still has', async () => {
  const { join, pass, shares } = startGroup('a')
  await pass(2, { a: 500 })
  expect(shares()).toEqual({ a: 100 })
  join('b')
  for (let period = 0; period < 5; period++) {
    await pass(Math.min(period, 1), { a: 500, b: 500 })
    expect(shares()['a']! + shares()['b']!).toBeLessThanOrEqual(100)
  }
  expect(shares()).toEqual({ a: 50, b: 50 })
})

it('reassigns the share of a disposed member at once, and that of a lost member after three periods', async () => {
  const { joined, pass, shares, cut } = startGroup('a', 'b', 'c')
  await pass(4, { a: 500, b: 500, c: 500 })
  expect(shares()).toEqual({ a: 33.33, b: 33.33, c: 33.33 })
  await joined[2]!.rate[Symbol.asyncDispose]()
  expect(shares()['c']).toBe(0)
  await pass(2, { a: 500, b: 500 })
  expect(shares()).toMatchObject({ a: 50, b: 50 })
  cut.add('b')
  await pass(3, { a: 500 })
  expect(shares()).toMatchObject({ a: 50, b: 50 })
  await pass(1, { a: 500 })
  // Exceeds the rate by no more than the share of the member that is cut off.
  expect(shares()).toMatchObject({ a: 100, b: 50 })
  cut.delete('b')
  await pass(4, { a: 500, b: 500 })
  expect(shares()).toMatchObject({ a: 50, b: 50 })
})

it('ends a share after three periods of its own member', async () => {
  const { join, pass, shares } = startGroup()
  join('slow', { periodMs: 10_000 })
  join('fast')
  await pass(40, { slow: 500, fast: 500 })
  expect(shares()).toEqual({ slow: 50, fast: 50 })
})

it('keeps its share in an outage, at most an even part, and reports the outage', async () => {
  const { joined, pass, shares, cut } = startGroup('a', 'b')
  const [a] = joined
  await pass(4, { a: 500 })
  expect(shares()).toEqual({ a: 99, b: 1 })
  const told = vi.fn()
  a!.rate.subscribe(told)
  for (const member of ['a', 'b']) cut.add(member)
  await pass(10, { a: 500, b: 500 })
  expect(shares()).toEqual({ a: 50, b: 1 })
  expect(a!.rate.snapshot()).toEqual({ ratePerSecond: 50, members: 2, isDown: true })
  expect(told).toHaveBeenCalledTimes(1)
  expect(a!.events.filter(({ type }) => type === 'outage')).toHaveLength(10)
  cut.clear()
  await pass(4, { a: 500, b: 500 })
  expect(shares()).toEqual({ a: 50, b: 50 })
  expect(a!.rate.snapshot().isDown).toBe(false)
})

it.each([
  ['of all members', 20],
  ['that ended the shares of the others', 11],
  ['that lost the data alone', 0],
])('takes at most its share in the first report after an outage %s', async (_, quarters) => {
  const { clock, group, join, settle, shares, cut } = startGroup()
  const even = { a: 25, b: 25, c: 25, d: 25 }
  const passQuarters = async (count: number): Promise<void> => {
    for (let quarter = 0; quarter < count; quarter++) {
      await settle()
      clock.advance(250)
    }
    await settle()
  }
  for (const member of Object.keys(even)) {
    join(member)
    await passQuarters(1)
  }
  await passQuarters(12)
  expect(shares()).toEqual(even)
  for (const member of Object.keys(even)) cut.add(member)
  await passQuarters(quarters)
  cut.clear()
  if (quarters === 0) await client.del(`lull:shared:${group}`)
  for (let report = 0; report < 8; report++) {
    await passQuarters(1)
    expect(shares()).toEqual(even)
  }
})

it('keeps the limiter unchanged until the first reply', async () => {
  const { join, pass, shares, cut } = startGroup()
  cut.add('a')
  const { rate } = join('a')
  await pass(5, { a: 500 })
  expect(shares()).toEqual({ a: 7 })
  expect(rate.snapshot()).toEqual({ ratePerSecond: undefined, members: 0, isDown: true })
})

it('abandons a reply after half a period, and ends after the one that is due', async () => {
  const replies: ((reply: string) => void)[] = []
  const { clock, limiter, rate } = startAlone(() => new Promise((resolve) => replies.push(resolve)))
  replies[0]!('40 2')
  await clock.advanceAsync(1000)
  expect(limiter.snapshot().ratePerSecond).toBe(40)
  await clock.advanceAsync(499)
  expect(rate.snapshot().isDown).toBe(false)
  await clock.advanceAsync(1)
  expect(rate.snapshot()).toEqual({ ratePerSecond: 40, members: 2, isDown: true })
  replies[1]!('90 1')
  await clock.advanceAsync(500)
  expect(limiter.snapshot().ratePerSecond).toBe(40)
  const ended = rate[Symbol.asyncDispose]()
  replies[2]!('90 1')
  await clock.advanceAsync(10)
  replies[3]!('1')
  await ended
  expect(limiter.snapshot().ratePerSecond).toBe(0)
})

it('counts waiting calls as demand, from the second report on', async () => {
  const demands: number[] = []
  const clock = letTimeGoOn(createTestClock())
  const limiter = { snapshot: () => ({ allowed: 0, denied: 0, waiting: 10 }), configure: () => undefined }
  const run: RunScript = (_, __, args) => Promise.resolve((demands.push(Number(args[1])), '1 1'))
  const rate = createSharedRate(limiter, { run, group: 'g', member: 'm', ratePerSecond: 100, clock })
  await clock.advanceAsync(1000)
  expect(demands.map(Math.round)).toEqual([1, 11])
  await rate[Symbol.asyncDispose]()
})

it('lets calls wait while the others have the whole rate', async () => {
  const replies = ['0 2', '50 2', '']
  const empty = tokenBucket({ ratePerSecond: 1, burst: 1, initial: 0 })
  const { clock, limiter, rate } = startAlone(() => Promise.resolve(replies.shift()), empty)
  const early = limiter.wait()
  await clock.advanceAsync(0)
  const late = limiter.wait()
  await clock.advanceAsync(999)
  expect(limiter.snapshot()).toMatchObject({ allowed: 0, waiting: 2 })
  await clock.advanceAsync(41)
  await Promise.all([early, late])
  await rate[Symbol.asyncDispose]()
})

it('is one key with a TTL', async () => {
  const { group, settle } = startGroup('a')
  await settle()
  const ttl = await client.pttl(`lull:shared:${group}`)
  expect(ttl).toBeGreaterThan(0)
  expect(ttl).toBeLessThanOrEqual(4001)
})

it('throws on invalid options', () => {
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }))
  const options = { run: () => Promise.resolve('1 1'), group: 'g', member: 'm', ratePerSecond: 1 }
  for (const ratePerSecond of [-1, Infinity])
    expect(() => createSharedRate(limiter, { ...options, ratePerSecond })).toThrow(RangeError)
  expect(() => createSharedRate(limiter, { ...options, periodMs: 0 })).toThrow(RangeError)
  for (const bad of [{ run: 'run' }, { onEvent: 5 }, { group: undefined }, { member: undefined }])
    expect(() => createSharedRate(limiter, { ...options, ...(bad as object) })).toThrow(TypeError)
  expect(() => createSharedRate(limiter, { ...options, burst: null as never })).toThrow(RangeError)
})
