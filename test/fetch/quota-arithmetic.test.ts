import { describe, expect, it } from 'vitest'
import type { RateLimitPolicy, RateLimitState } from '../../src/fetch/read-limits.ts'
import { createQuota, type Quota } from '../../src/fetch/quota.ts'

const policy = (name: string, quota: number, windowMs?: number): RateLimitPolicy => ({
  name,
  quota,
  windowMs,
  unit: 'requests',
})
const left = (name: string, available?: number, windowMs?: number, unit = 'requests'): RateLimitState => ({
  name,
  available,
  windowMs,
  unit,
})

interface Said {
  limits?: RateLimitState[]
  policies?: RateLimitPolicy[]
  sequence?: number
  inFlight?: number
  now?: number
  mostMs?: number
}

function tell(
  quota: Quota,
  { limits = [], policies = [], sequence = 1, inFlight = 0, now = 0, mostMs = 1e9 }: Said,
): Quota {
  const source = 'ratelimit'
  quota.read({ source, limits, policies, waitMs: undefined }, sequence, inFlight, mostMs, now)
  return quota
}

const told = (said: Said): Quota =>
  tell(
    createQuota(() => true),
    said,
  )

/** When the next of so many requests may go, each as soon as it may. */
function schedule(quota: Quota, count: number): number[] {
  let now = 0
  return Array.from({ length: count }, () => {
    now = quota.readyAt(now)
    quota.sent(now)
    return now
  })
}

describe('R31 the policy that the pace follows', () => {
  it.each([
    ['of its name', [policy('a', 90, 1000), policy('b', 60, 60_000)], { ratePerSecond: 1, burst: 60 }],
    ['the only one', [policy('a', 10, 1000)], { ratePerSecond: 10, burst: 10 }],
    ['none of several others', [policy('a', 10, 1000), policy('c', 10, 1000)], undefined],
    ['none without a window', [policy('b', 10)], undefined],
    ['none that lets less than one a second through', [policy('b', 59, 60_000)], undefined],
  ])('is %s', (_, policies, estimate) => {
    const quota = told({ policies, limits: [left('b', 30, 30_000)] })
    expect(quota.estimate(0)).toEqual(estimate)
    expect(quota.policies).toBe(policies)
  })

  it('is remembered for a minute after what was said of it holds no more', () => {
    const quota = told({
      policies: [policy('a', 10, 1000)],
      limits: [left('other', 5, 90_000), left('a', 5, 1000)],
    })
    const only = told({ policies: [policy('a', 10, 1000)], limits: [left('a', 5, 1000)] })
    expect(only.estimate(60_999)).toEqual({ ratePerSecond: 10, burst: 10 })
    expect(only.estimate(61_000)).toBeUndefined()
    expect(quota.estimate(60_999)).toEqual({ ratePerSecond: 10, burst: 10 })
  })

  it('stays that of an answer without policies', () => {
    const policies = [policy('a', 10, 1000)]
    const quota = told({ policies, limits: [left('a', 5, 1000)] })
    tell(quota, { sequence: 2, limits: [left('a', 4, 900)], now: 100 })
    expect(quota.policies).toBe(policies)
    expect(quota.estimate(100)).toEqual({ ratePerSecond: 10, burst: 10 })
  })
})

describe('R31 the pace within what is left', () => {
  const ten = { policies: [policy('a', 10, 1000)] }

  it.each([
    ['two are kept for others', 5, 0, [0, 0, 0, 100, 200]],
    ['more may be left than the policy says', 12, 0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 200]],
    ['what is in flight is not left', 6, 2, [0, 0, 100, 200]],
    ['it is in debt for what is kept', 5, 4, [200]],
  ])('%s', (_, available, inFlight, instants) => {
    const quota = told({ ...ten, limits: [left('a', available, 60_000)], inFlight })
    expect(schedule(quota, instants.length)).toEqual(instants)
  })

  it.each([
    ['ends with the window', 150, 150],
    ['or before it', 250, 200],
  ])('%s', (_, windowMs, at) => {
    expect(told({ ...ten, limits: [left('a', 5, windowMs)], inFlight: 4 }).readyAt(0)).toBe(at)
  })

  it('is that of the slowest', () => {
    const policies = [policy('a', 10, 1000), policy('b', 2, 1000)]
    const slow = left('b', 3, 60_000)
    const fast = left('a', 9, 60_000)
    for (const limits of [
      [slow, fast],
      [fast, slow],
    ])
      expect(schedule(told({ policies, limits }), 3)).toEqual([0, 500, 1000])
  })

  it('is none where it is not asked for', () => {
    const quota = tell(
      createQuota(() => false),
      { ...ten, limits: [left('a', 5, 60_000)] },
    )
    expect(schedule(quota, 6)).toEqual([0, 0, 0, 0, 0, 60_000])
    expect(quota.estimate(0)).toBeUndefined()
  })
})

describe('R29 R30 what is left', () => {
  it('is unlimited before anything was said', () => {
    const { policies, concurrency, readyAt, opensAt } = createQuota(() => true)
    expect([policies, concurrency, readyAt(7), opensAt()]).toEqual([[], Infinity, 7, -Infinity])
  })

  it('holds for its window, and no longer than it is believed for', () => {
    const quota = told({ limits: [left('a', 2, 5000), left('b', 3, 9000)], mostMs: 7000, now: 10 })
    const a = { name: 'a', available: 2, until: 5010 }
    const b = { name: 'b', available: 3, until: 7010 }
    expect(quota.left(5009)).toMatchObject([a, b])
    expect(quota.left(5010)).toMatchObject([b])
    expect(quota.left(7010)).toEqual([])
  })

  it('says until when nothing is left, of the last that has nothing', () => {
    const quota = told({ limits: [left('a', 1, 5000), left('b', 1, 3000), left('c', 2, 9000)] })
    expect(quota.opensAt()).toBe(-Infinity)
    quota.sent(0)
    expect(quota.opensAt()).toBe(5000)
    expect(quota.readyAt(0)).toBe(5000)
    expect(quota.readyAt(6000)).toBe(6000)
  })

  it.each([
    ['of another unit', left('a', 1, 5000, 'bytes')],
    ['without a number', left('a', undefined, 5000)],
    ['without a window', left('a', 1)],
    ['none', left('a', 0, 5000)],
  ])('is nothing to count if it is %s', (_, limit) => {
    expect(told({ limits: [limit] }).left(0)).toEqual([])
  })
})

describe('R33 which of two answers counts', () => {
  const numbers = (quota: Quota): unknown[] =>
    quota.left(0).map(({ name, available, until }) => [name, available, until])

  it.each([
    ['a newer one, with more', 2, 9, 3000, [['a', 9, 3000]]],
    ['a newer one, with less', 2, 4, 3000, [['a', 4, 3000]]],
    ['an older one, with less', 0, 4, 3000, [['a', 4, 3000]]],
    ['not an older one, with more', 0, 9, 3000, [['a', 5, 1000]]],
    ['not an older one, with as much', 0, 5, 3000, [['a', 5, 1000]]],
    ['not the same one again, with more', 1, 9, 3000, [['a', 5, 1000]]],
  ])('is %s', (_, sequence, available, windowMs, expected) => {
    const quota = told({ limits: [left('a', 5, 1000)] })
    tell(quota, { sequence, limits: [left('a', available, windowMs)] })
    expect(numbers(quota)).toEqual(expected)
  })

  it('one that says nothing of limits is not the newest', () => {
    const quota = told({ limits: [left('a', 5, 1000)] })
    tell(quota, { sequence: 9 })
    tell(quota, { sequence: 3, limits: [left('a', 8, 1000)] })
    expect(numbers(quota)).toEqual([['a', 8, 1000]])
  })

  it('a newer one lets be what it says nothing of, and forgets what is over', () => {
    const policies = [policy('a', 10, 1000)]
    const other = (now: number): Quota =>
      tell(told({ policies, limits: [left('a', 5, 1000)] }), {
        policies: [policy('b', 1, 60_000), policy('c', 1, 60_000)],
        sequence: 2,
        limits: [left('b', 7, 60_000)],
        now,
      })
    expect(
      other(999)
        .left(999)
        .map(({ name }) => name),
    ).toEqual(['a', 'b'])
    expect(other(999).estimate(999)).toEqual({ ratePerSecond: 10, burst: 10 })
    expect(other(1000).estimate(1000)).toBeUndefined()
  })

  it('an older one, and one of no limits, forget nothing', () => {
    const quota = told({ policies: [policy('a', 10, 1000)], limits: [left('a', 5, 1000)], sequence: 4 })
    tell(quota, { sequence: 3, limits: [left('b', 7, 60_000)], now: 2000 })
    tell(quota, { sequence: 5, now: 2000 })
    expect(quota.estimate(2000)).toEqual({ ratePerSecond: 10, burst: 10 })
  })

  it('of requests at a time', () => {
    const at = (available: number | undefined): RateLimitState =>
      left('c', available, undefined, 'concurrent-requests')
    const quota = told({ limits: [at(5)], inFlight: 1, sequence: 5 })
    expect(quota.concurrency).toBe(6)
    tell(quota, { limits: [at(1)], inFlight: 1, sequence: 3 })
    expect(quota.concurrency).toBe(2)
    tell(quota, { limits: [at(9)], inFlight: 1, sequence: 4 })
    expect(quota.concurrency).toBe(2)
    tell(quota, { limits: [at(0)], inFlight: 0, sequence: 6 })
    expect(quota.concurrency).toBe(1)
    tell(quota, { limits: [at(undefined)], sequence: 7 })
    expect(quota.concurrency).toBe(Infinity)
  })
})
