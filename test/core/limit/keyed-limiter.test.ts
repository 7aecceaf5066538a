import fc from 'fast-check'
import {
  createKeyedLimiter,
  slidingWindowLog,
  tokenBucket,
  withBlocks,
  type KeyedDeniedEvent,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { tries } from '../../laws/tries.ts'
import { everyRule } from './rules/every-rule.ts'

const clock = createManualClock()
const bucket = tokenBucket({ ratePerSecond: 1, burst: 2 })

/** Which of `keys` are limited, that is remembered: none is used by asking. */
const limited = (keyed: ReturnType<typeof createKeyedLimiter>, keys: string[], at = 0): string =>
  keys.filter((key) => !keyed.peek(key, 2, at).allowed).join('')

describe.each(everyRule)('%s', (_, make) => {
  it('limits each key for itself', () => {
    const keyed = createKeyedLimiter(make(10, 2), { clock })
    expect(keyed.decide('a', 2)).toEqual({ allowed: true, retryAfterMs: 0, remaining: 0 })
    expect([keyed.allow('a'), keyed.allow('b'), keyed.allow('b'), keyed.allow('b')]).toEqual([
      false,
      true,
      true,
      false,
    ])
    const { retryAfterMs, ...refused } = keyed.decide('a')
    expect(refused).toEqual({ allowed: false, remaining: 0 })
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(keyed.peek('a')).toEqual({ ...refused, retryAfterMs })
    expect(keyed.peek('c')).toEqual({ allowed: true, retryAfterMs: 0, remaining: 2 })
    expect(keyed.size).toBe(2)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' ', '\0', '🔑'])(
    'knows the key %j from others',
    (key) => {
      const keyed = createKeyedLimiter(make(10, 2), { clock })
      expect([keyed.allow(key, 2), keyed.allow(key), keyed.allow('other')]).toEqual([true, false, true])
      expect([keyed.delete(key), keyed.delete(key), keyed.allow(key)]).toEqual([true, false, true])
    },
  )

  it('takes unasked, into debt, and lets the key go on when its debt is over', () => {
    const keyed = createKeyedLimiter(make(10, 4), { clock })
    keyed.take('a', 7, 0)
    expect([keyed.allow('a', 1, 0), keyed.allow('b', 4, 0)]).toEqual([false, true])
    const { remaining, retryAfterMs } = keyed.peek('a', 1, 0)
    expect(remaining).toBe(0)
    expect(retryAfterMs).toBeGreaterThan(0)
    expect([keyed.allow('a', 1, retryAfterMs - 0.001), keyed.allow('a', 1, retryAfterMs)]).toEqual([
      false,
      true,
    ])
  })

  it('gives back what was taken last, and no more than was taken', () => {
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

  it('has never more than its burst, whatever is taken and given back', () => {
    const step = fc.record({
      verb: fc.constantFrom('allow' as const, 'take' as const, 'giveBack' as const),
      count: fc.constantFrom(0, 1, 2, 3.5, 9),
      afterMs: fc.nat({ max: 600 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (script) => {
        const keyed = createKeyedLimiter(make(10, 4), { clock })
        let now = 0
        for (const { verb, count, afterMs } of script) {
          keyed[verb]('a', count, (now += afterMs))
          for (let ms = 0; ms < 1000; ms += 40)
            expect(keyed.peek('a', 0, now + ms).remaining).toBeLessThanOrEqual(4)
        }
      }),
      tries(200),
    )
  })

  it('refuses a cost above its capacity for ever', () => {
    const keyed = createKeyedLimiter(make(10, 2), { clock })
    expect(keyed.decide('a', 3)).toEqual({ allowed: false, retryAfterMs: Infinity, remaining: 2 })
    expect(keyed.peek('a').remaining).toBe(2)
  })

  it('lets everything pass and takes nothing while bypassed', () => {
    const keyed = createKeyedLimiter(make(10, 2), { clock })
    keyed.allow('a', 2)
    keyed.bypass(true)
    expect([keyed.allow('a', 100), keyed.decide('b', 100), keyed.peek('a', 5).allowed]).toEqual([
      true,
      { allowed: true, retryAfterMs: 0, remaining: 2 },
      true,
    ])
    expect(keyed.snapshot()).toMatchObject({ size: 1, allowed: 3, denied: 0, isBypassed: true })
    keyed.bypass(false)
    expect([keyed.allow('a'), keyed.allow('b', 2)]).toEqual([false, true])
  })

  it('forgets keys that are as good as new, a few at each use, so that its size comes down', () => {
    const keyed = createKeyedLimiter(make(10, 2), { clock })
    for (let i = 0; i < 1000; i++) keyed.allow(String(i), 1, 5)
    expect(keyed.size).toBe(1000)
    const sizes = Array.from({ length: 600 }, (_, i) => {
      keyed.allow('one', 1, 10_000 + i * 100)
      return keyed.size
    })
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(sizes.at(-1)).toBe(1)
    for (let i = 0; i < 1000; i++) keyed.allow(String(i), 1, 1e6)
    expect(keyed.size).toBe(1000)
  })
})

it('forgets the key used longest ago beyond maxKeys; a refusal is a use, a peek is none', () => {
  const keyed = createKeyedLimiter(bucket, { maxKeys: 3, clock })
  for (const key of ['a', 'b', 'c']) keyed.allow(key, 2, 0)
  keyed.allow('a', 1, 0)
  keyed.peek('b', 1, 0)
  keyed.allow('d', 2, 0)
  expect([limited(keyed, ['a', 'b', 'c', 'd']), keyed.size]).toEqual(['acd', 3])
  keyed.allow('e', 2, 0)
  expect([limited(keyed, ['a', 'b', 'c', 'd', 'e']), keyed.size]).toEqual(['ade', 3])
  keyed.delete('d')
  keyed.allow('f', 2, 0)
  expect([limited(keyed, ['a', 'd', 'e', 'f']), keyed.size]).toEqual(['aef', 3])
})

it('remembers as many as maxKeys exactly, over many pages of rows', () => {
  const keyed = createKeyedLimiter(bucket, { maxKeys: 5000, clock })
  for (let i = 0; i < 12_000; i++) keyed.allow(String(i), 2, 0)
  expect(keyed.size).toBe(5000)
  const isLimited = (i: number): boolean => !keyed.peek(String(i), 1, 0).allowed
  expect([6998, 6999, 7000, 7001, 11_999].map(isLimited)).toEqual([false, false, true, true, true])
})

it('remembers one key at least, and any number if told so', () => {
  const one = createKeyedLimiter(bucket, { maxKeys: 1, clock })
  expect([one.allow('a', 2), one.allow('a'), one.allow('b', 2), one.allow('a', 2), one.size]).toEqual([
    true,
    false,
    true,
    true,
    1,
  ])
  const many = createKeyedLimiter(bucket, { maxKeys: Infinity, idleMs: undefined, clock })
  for (let i = 0; i < 100_001; i++) many.allow(String(i), 2, 0)
  expect(many.size).toBe(100_001)
})

it('remembers 100,000 keys by default', () => {
  const keyed = createKeyedLimiter(bucket, { clock })
  for (let i = 0; i < 100_001; i++) keyed.allow(String(i), 2, 0)
  expect(keyed.size).toBe(100_000)
})

it('makes one limit, or all, as new', () => {
  const keyed = createKeyedLimiter(bucket, { clock })
  for (const key of ['a', 'b', 'c']) keyed.allow(key, 2)
  expect([keyed.delete('b'), keyed.delete('x'), limited(keyed, ['a', 'b', 'c'])]).toEqual([true, false, 'ac'])
  keyed.clear()
  expect([keyed.size, limited(keyed, ['a', 'b', 'c'])]).toEqual([0, ''])
  keyed.allow('a', 2)
  expect([keyed.size, limited(keyed, ['a', 'b', 'c'])]).toEqual([1, 'a'])
})

it('shows what became of those who asked, and tells who listens', () => {
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
  keyed.delete('a')
  keyed.bypass(true)
  keyed.clear()
  expect(listener).toHaveBeenCalledTimes(6)
  expect(keyed.snapshot()).toMatchObject({ size: 0, isBypassed: true })
  unsubscribe()
  keyed.allow('a')
  expect(listener).toHaveBeenCalledTimes(6)
})

it('looks at a key that it does not know, also when keys are forgotten for being idle', () => {
  const keyed = createKeyedLimiter(bucket, { clock, idleMs: 10 })
  expect(keyed.peek('nobody')).toEqual({ allowed: true, retryAfterMs: 0, remaining: 2 })
  expect(keyed.size).toBe(0)
})

it('forgets two that are as good as new at each use', () => {
  const keyed = createKeyedLimiter(bucket, { clock })
  for (const key of 'abcdefg') keyed.allow(key, 1, 0)
  const sizes = [10_000, 10_001, 10_002].map((at) => (keyed.allow('z', 1, at), keyed.size))
  expect(sizes).toEqual([6, 4, 2])
})

it('asks once in a millisecond whether the key used longest ago is as good as new, however often a key is used', () => {
  const isFresh = vi.fn(bucket.isFresh)
  const keyed = createKeyedLimiter({ ...bucket, isFresh }, { clock })
  keyed.allow('a', 1, 0)
  // There was none at 0.
  for (let i = 0; i < 1000; i++) keyed.allow('b', 1, i / 250)
  expect(isFresh.mock.calls.map(([, , at]) => at)).toEqual([1, 2, 3])
  keyed.allow('b', 1, -10)
  expect(isFresh.mock.lastCall![2]).toBe(-10)
})

it('keeps few more keys than are in use, also where all come and go within a millisecond', () => {
  const keyed = createKeyedLimiter(tokenBucket({ ratePerSecond: 100_000, burst: 1 }), { clock })
  const sizes = Array.from({ length: 20_000 }, (_, i) => {
    keyed.allow(String(i), 1, i / 500)
    return keyed.size
  })
  // 500 come in a millisecond, and 500 more while they go.
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1001)
  expect(sizes.at(-1)).toBeLessThanOrEqual(1001)
})

it('shows a new snapshot for each thing that has changed, and the same one while nothing has', () => {
  const keyed = createKeyedLimiter(bucket, { clock })
  const shown = [keyed.snapshot()]
  const steps = [
    () => keyed.allow('a', 1, 0),
    () => keyed.allow('a', 1, 0),
    () => keyed.allow('a', 1, 0),
    () => keyed.bypass(true),
    () => keyed.delete('a'),
  ]
  for (const step of steps) {
    step()
    shown.push(keyed.snapshot())
    expect(keyed.snapshot()).toBe(shown.at(-1))
  }
  expect(shown.map(({ size, allowed, denied, isBypassed }) => [size, allowed, denied, isBypassed])).toEqual([
    [0, 0, 0, false],
    [1, 1, 0, false],
    [1, 2, 0, false],
    [1, 2, 1, false],
    [1, 2, 1, true],
    [0, 2, 1, true],
  ])
})

it('gives back the newest entries of a log: the older ones leave when they would have', () => {
  const keyed = createKeyedLimiter(slidingWindowLog({ limit: 4, windowMs: 1000 }), { clock })
  for (const at of [0, 500]) keyed.allow('a', 2, at)
  keyed.giveBack('a', 3, 600)
  expect([600, 999, 1000, 1500].map((at) => keyed.peek('a', 0, at).remaining)).toEqual([3, 3, 4, 4])
})

it('sets what is left of a key by making it as new and taking the rest', () => {
  const keyed = createKeyedLimiter(bucket, { clock })
  keyed.take('a', 50)
  keyed.delete('a')
  keyed.take('a', 1)
  expect(keyed.peek('a').remaining).toBe(1)
})

it('tells who listens that something was taken or given back, and counts neither', () => {
  const keyed = createKeyedLimiter(bucket, { clock })
  const listener = vi.fn()
  keyed.subscribe(listener)
  keyed.take('a')
  keyed.giveBack('a')
  expect(listener).toHaveBeenCalledTimes(2)
  expect(keyed.snapshot()).toMatchObject({ size: 1, allowed: 0, denied: 0 })
})

describe('withBlocks', () => {
  it('refuses a blocked key until its time is over, and takes nothing of it', () => {
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
    expect(keyed.decide('a')).toEqual({ allowed: true, retryAfterMs: 0, remaining: 0 })
  })

  it('ends a block by another, by unblock, by delete and by clear', () => {
    const keyed = withBlocks(createKeyedLimiter(bucket, { clock }))
    for (const key of ['a', 'b', 'c', 'd']) keyed.block(key, Infinity, 0)
    keyed.block('a', 10, 0)
    expect([keyed.unblock('b'), keyed.unblock('b'), keyed.delete('c'), keyed.delete('c')]).toEqual([
      true,
      false,
      true,
      false,
    ])
    const refused = (): string =>
      ['a', 'b', 'c', 'd'].filter((key) => !keyed.peek(key, 1, 10).allowed).join('')
    expect(refused()).toBe('d')
    keyed.allow('a', 2, 10)
    keyed.clear()
    expect([refused(), keyed.size]).toEqual(['', 0])
  })

  it('forgets blocks that are over, also behind some that last', () => {
    const keyed = withBlocks(createKeyedLimiter(bucket, { clock }))
    for (const key of ['for good', 'and this']) keyed.block(key, Infinity, 0)
    for (let i = 0; i < 100; i++) keyed.block(String(i), 1, 0)
    for (let i = 0; i < 100; i++) keyed.block(`later ${i}`, 1, 10)
    expect(keyed.unblock('50')).toBe(false)
    expect([keyed.unblock('for good'), keyed.unblock('later 99')]).toEqual([true, true])
  })

  it.each([0, -1, NaN])('a block of %s ms is a RangeError', (ms) => {
    const keyed = withBlocks(createKeyedLimiter(bucket, { clock }))
    expect(() => keyed.block('a', ms)).toThrow(new RangeError(`Expected ms > 0, got ${ms}`))
  })
})
