import fc from 'fast-check'
import {
  createKeyedLimiter,
  createLimiter,
  gcra,
  slidingWindowLog,
  tokenBucket,
  withBlocks,
  type KeyedDeniedEvent,
  type Limiter,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { createKeyedRows } from '../../../src/core/limit/keyed-rows.ts'
import { recordsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'
import { everyRule, costs, gaps } from './rules/every-rule.ts'

const clock = createManualClock()
const bucket = tokenBucket({ ratePerSecond: 1, burst: 2 })

type Keyed = ReturnType<typeof createKeyedLimiter>

const keys = fc.constantFrom('__proto__', 'toString', '', '🔑')
const verbs = fc.constantFrom('allow' as const, 'decide' as const, 'peek' as const)
const script = recordsOf(100, { gap: gaps, key: keys, cost: costs, verb: verbs })

describe.each(everyRule)('%s', (_, make) => {
  it('decides as if what was given back had never been taken', () => {
    const [kept, other] = [1, 2].map(() => createKeyedLimiter(make(10, 4), { clock })) as [Keyed, Keyed]
    const decide = (keyed: Keyed, cost: number, at: number): unknown[] => {
      const { allowed, retryAfterMs } = keyed.decide('a', cost, at)
      return [allowed, retryAfterMs.toFixed(6), keyed.peek('a', 4, at).retryAfterMs.toFixed(6)]
    }
    for (const keyed of [kept, other]) keyed.take('a', 1, 0)
    for (let at = 1; at < 10; at++) {
      kept.take('a', 1, at)
      kept.giveBack('a', 1, at)
    }
    for (const [at, cost] of Object.entries({ 100: 2, 300: 1, 520: 3, 530: 1, 1200: 4 }))
      expect(decide(kept, cost, Number(at))).toEqual(decide(other, cost, Number(at)))
  })

  it('takes into debt without a decision, except in a bypass, and allows the key again after its debt', () => {
    const keyed = createKeyedLimiter(make(10, 4), { clock })
    keyed.bypass(true)
    keyed.take('a', 7, 0)
    keyed.bypass(false)
    expect(keyed.peek('a', 4, 0).allowed).toBe(true)
    keyed.take('a', 7, 0)
    expect([keyed.allow('a', 1, 0), keyed.allow('b', 4, 0)]).toEqual([false, true])
    const { remaining, retryAfterMs } = keyed.peek('a', 1, 0)
    expect(remaining).toBe(0)
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(keyed.allow('a', 1, retryAfterMs - 0.001)).toBe(false)
    expect(keyed.allow('a', 1, retryAfterMs)).toBe(true)
  })

  it('refunds the latest costs, and no more than was taken', () => {
    const keyed = createKeyedLimiter(make(10, 4), { clock })
    keyed.allow('a', 2, 0)
    keyed.allow('a', 2, 10)
    keyed.giveBack('a', undefined, 10)
    expect([keyed.allow('a', 1, 10), keyed.allow('a', 1, 10)]).toEqual([true, false])
    keyed.giveBack('a', 100, 10)
    expect([keyed.allow('a', 4, 10), keyed.allow('a', 1, 10)]).toEqual([true, false])
    keyed.giveBack('new', 100, 10)
    expect([keyed.allow('new', 4, 10), keyed.allow('new', 1, 10)]).toEqual([true, false])
  })

  it('decides for each key like a separate limiter until it is reset, even after it was forgotten', () => {
    const rules = fc.constantFrom(make(8, 1), make(2, 2), make(8, 4))
    forAll(50, rules, script, fc.nat(200), (rule, script, resetAt) => {
      const keyed = createKeyedLimiter(rule, { clock })
      const limiters = new Map<string, Limiter>()
      let at = 0
      for (const [index, { gap, key, cost, verb }] of script.entries()) {
        at += gap * 125
        if (index === resetAt)
          for (const each of [keyed, limiters]) each[resetAt % 2 ? 'delete' : 'clear'](key)
        const limiter = limiters.get(key) ?? createLimiter(rule, { clock })
        limiters.set(key, limiter)
        const [own, other] = [keyed[verb](key, cost, at), limiter[verb](cost, at)]
        // They began at other instants: waits differ by rounding and its tolerance.
        if (typeof own === 'object' && typeof other === 'object') {
          expect({ ...own, retryAfterMs: 0 }).toEqual({ ...other, retryAfterMs: 0 })
          expect(own.retryAfterMs).toBeCloseTo(other.retryAfterMs, 5)
        } else expect(own).toBe(other)
      }
      expect(keyed.size).toBeLessThanOrEqual(limiters.size)
    })
  })

  it('remembers the most recently used keys, and treats the others as new', () => {
    forAll(30, fc.constantFrom(1, 2, 3), script, (maxKeys, script) => {
      const keyed = createKeyedLimiter(make(1e-6, 2), { maxKeys, clock })
      const limiters = new Map<string, Limiter>()
      for (const { key, cost, verb } of script) {
        const known = limiters.get(key)
        const limiter = known ?? createLimiter(make(1e-6, 2), { clock })
        expect(keyed[verb](key, cost)).toEqual(limiter[verb](cost))
        if (verb === 'peek') continue
        limiters.delete(key)
        limiters.set(key, limiter)
        // A key that took nothing may be forgotten earlier, without a visible effect.
        if (limiters.size > maxKeys) limiters.delete([...limiters.keys()][0]!)
        expect(keyed.size).toBeLessThanOrEqual(maxKeys)
      }
    })
  })

  it('neither gains anything nor freezes when the clock is set back', () => {
    const keyed = createKeyedLimiter(make(10, 2), { clock })
    keyed.allow('a', 2, 10_000)
    // A refusal is no taking.
    expect(keyed.allow('a', 2, 10_100)).toBe(false)
    expect(keyed.peek('a', 1, 5000)).toMatchObject({ allowed: false, remaining: 0 })
    const { allowed, retryAfterMs } = keyed.decide('a', 1, 5000)
    expect(allowed).toBe(false)
    expect(retryAfterMs).toBeLessThanOrEqual(200.001)
    expect(keyed.allow('a', 1, 5000 + retryAfterMs)).toBe(true)
  })
})

it('remembers exactly maxKeys keys, over many pages of rows', () => {
  const keyed = createKeyedLimiter(bucket, { maxKeys: 5000, clock })
  for (let i = 0; i < 12_000; i++) keyed.allow(String(i), 2, 0)
  expect(keyed.size).toBe(5000)
  const isLimited = (i: number): boolean => !keyed.peek(String(i), 1, 0).allowed
  expect([6998, 6999, 7000, 7001, 11_999].map(isLimited)).toEqual([false, false, true, true, true])
})

it('remembers 100,000 keys by default', () => {
  const keyed = createKeyedLimiter(bucket, { clock })
  for (let i = 0; i < 100_001; i++) keyed.allow(String(i), 2, 0)
  expect(keyed.size).toBe(100_000)
})

it('counts its decisions, and calls listeners', () => {
  const events: KeyedDeniedEvent[] = []
  const keyed = createKeyedLimiter(bucket, {
    clock: createManualClock(70),
    onEvent: (event) => events.push(event),
  })
  const listener = vi.fn()
  const unsubscribe = keyed.subscribe(listener)
  const shown = keyed.snapshot()
  expect(shown).toEqual({ ratePerSecond: 1, burst: 2, size: 0, allowed: 0, denied: 0, isBypassed: false })
  keyed.peek('a', 5)
  expect(keyed.snapshot()).toBe(shown)
  expect(listener).not.toHaveBeenCalled()
  keyed.allow('a', 2)
  keyed.allow('a')
  keyed.decide('a', 3, 80)
  expect(keyed.snapshot()).toEqual({ ...shown, size: 1, allowed: 1, denied: 2 })
  expect(keyed.snapshot()).toBe(keyed.snapshot())
  expect(events).toEqual([
    { type: 'denied', key: 'a', cost: 1, at: 70 },
    { type: 'denied', key: 'a', cost: 3, at: 80 },
  ])
  expect([keyed.delete('a'), keyed.delete('a')]).toEqual([true, false])
  keyed.bypass(true)
  keyed.clear()
  expect(listener).toHaveBeenCalledTimes(6)
  expect(keyed.snapshot()).toMatchObject({ size: 0, isBypassed: true })
  unsubscribe()
  keyed.allow('a')
  expect(listener).toHaveBeenCalledTimes(6)
})

it('forgets two fresh keys at each use', () => {
  const keyed = createKeyedLimiter(bucket, { clock })
  for (const key of 'abcdefg') keyed.allow(key, 1, 0)
  const sizes = [10_000, 10_001, 10_002].map((at) => (keyed.allow('z', 1, at), keyed.size))
  expect(sizes).toEqual([6, 4, 2])
})

it('checks at most once per ms whether the key used longest ago is fresh', () => {
  const isFresh = vi.fn(bucket.isFresh)
  const keyed = createKeyedLimiter({ ...bucket, isFresh }, { clock })
  keyed.allow('a', 1, 0)
  // There was no other key at 0.
  for (let i = 0; i < 1000; i++) keyed.allow('b', 1, i / 250)
  expect(isFresh.mock.calls.map(([, , at]) => at)).toEqual([1, 2, 3])
  keyed.allow('b', 1, -10)
  expect(isFresh.mock.lastCall![2]).toBe(-10)
})

it('refunds the newest entries of a log; the older ones expire on time', () => {
  const keyed = createKeyedLimiter(slidingWindowLog({ limit: 4, windowMs: 1000 }), { clock })
  for (const at of [0, 500]) keyed.allow('a', 2, at)
  keyed.giveBack('a', 3, 600)
  expect([600, 999, 1000, 1500].map((at) => keyed.peek('a', 0, at).remaining)).toEqual([3, 3, 4, 4])
})

describe('withBlocks', () => {
  it('refuses a blocked key until the block ends, and takes nothing; then unblock returns false', () => {
    const manual = createManualClock()
    const keyed = withBlocks(createKeyedLimiter(bucket, { clock: manual }))
    keyed.allow('a', 1)
    keyed.block('a', 500)
    expect([keyed.allow('a'), keyed.allow('b')]).toEqual([false, true])
    expect(keyed.decide('a')).toEqual({ allowed: false, retryAfterMs: 500, remaining: 1 })
    expect(keyed.peek('a')).toEqual(keyed.decide('a'))
    // The limit's own wait is longer.
    expect(keyed.peek('a', 2).retryAfterMs).toBe(1000)
    expect(keyed.snapshot()).toMatchObject({ allowed: 2, denied: 0, size: 2 })
    manual.advance(499.5)
    expect([keyed.allow('a'), keyed.peek('a').retryAfterMs, keyed.size]).toEqual([false, 0.5, 2])
    manual.advance(0.5)
    expect(keyed.unblock('a')).toBe(false)
    expect(keyed.decide('a')).toEqual({ allowed: true, retryAfterMs: 0, remaining: 0 })
  })

  it('ends a block by a new block, unblock, delete and clear', () => {
    const keyed = withBlocks(createKeyedLimiter(bucket, { clock }))
    for (const key of ['a', 'b', 'c', 'd']) keyed.block(key, Infinity, 0)
    keyed.block('a', 10, 0)
    expect(['b', 'b'].map(keyed.unblock)).toEqual([true, false])
    expect(['c', 'c'].map(keyed.delete)).toEqual([true, false])
    const refused = (): string =>
      ['a', 'b', 'c', 'd'].filter((key) => !keyed.peek(key, 1, 10).allowed).join('')
    expect(refused()).toBe('d')
    keyed.allow('a', 2, 10)
    keyed.clear()
    expect([refused(), keyed.size]).toEqual(['', 0])
  })

  it('returns a wait after which the key passes, despite rounding', () => {
    const keyed = withBlocks(createKeyedLimiter(bucket, { clock }))
    keyed.block('a', 1000, 0.1)
    const { retryAfterMs } = keyed.peek('a', 1, 128.3)
    expect([1000.1 - 1e-9, 128.3 + retryAfterMs].map((at) => keyed.allow('a', 1, at))).toEqual([false, true])
  })

  it('forgets expired blocks, also behind active ones', () => {
    const keyed = withBlocks(createKeyedLimiter(bucket, { clock }))
    for (const key of ['for good', 'and this']) keyed.block(key, Infinity, 0)
    keyed.block('for long', 1000, 0)
    for (let i = 0; i < 100; i++) keyed.block(String(i), 1, 0)
    for (let i = 0; i < 100; i++) keyed.block(`later ${i}`, 1, 10)
    expect(keyed.unblock('50')).toBe(false)
    expect(['for good', 'for long', 'later 99'].map(keyed.unblock)).toEqual([true, true, true])
  })
})

const daily = gcra({ ratePerSecond: 1 / 86_400, burst: 2 })

it('idleMs forgets a key not used for that long, whatever it took', () => {
  const keyed = createKeyedLimiter(daily, { idleMs: 1000, clock })
  keyed.allow('a', 2, 0)
  keyed.allow('b', 2, 500)
  expect([keyed.peek('a', 1, 999).allowed, keyed.peek('a', 1, 1000).allowed]).toEqual([false, true])
  expect(keyed.allow('a', 2, 1000)).toBe(true)
  // A refusal is a use.
  expect(keyed.allow('b', 1, 1499)).toBe(false)
  expect(keyed.decide('b', 1, 2498)).toMatchObject({ allowed: false })
  expect(keyed.decide('b', 2, 3498)).toMatchObject({ allowed: true })
})

it('keeps a key that a slow start would give less', () => {
  const keyed = createKeyedLimiter(tokenBucket({ ratePerSecond: 1, burst: 5, initial: 0 }), { clock })
  keyed.take('a', 2, 0)
  keyed.allow('b', 1, 2000)
  expect(keyed.decide('a', 5, 7000).allowed).toBe(true)
})

it('keeps a key that only rounding would make full', () => {
  const keyed = createKeyedLimiter(tokenBucket({ ratePerSecond: 8, burst: 4 }), { clock })
  keyed.allow('a', 1, 0)
  keyed.allow('b', 1, 125 - 4e-14)
  expect(keyed.size).toBe(2)
  keyed.allow('b', 1, 126)
  expect(keyed.size).toBe(1)
})

it('uses the rows of forgotten keys again', () => {
  const rows = createKeyedRows(2, false)
  const [a, b] = ['a', 'b'].map((key) => rows.add(key))
  rows.remove(a!)
  rows.remove(b!)
  expect([rows.add('c'), rows.add('d')]).toEqual([b, a])
  expect([rows.find('a'), rows.find('d')]).toEqual([undefined, a])
})
