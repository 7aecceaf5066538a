import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  allOf,
  createKeyedLimiter,
  createLimiter,
  createWaitingLimiter,
  fixedWindow,
  gcra,
  slidingWindowCounter,
  tokenBucket,
  wallClock,
  type Rule,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { everyRule, ownRules, rulesThatAdmit } from './every-rule.ts'
import { tries } from '../../../laws/tries.ts'
import { createTestClock } from '../../time/clocks.ts'

const files = readdirSync(join(import.meta.dirname, '../../../../src/core/limit/rules'))

it.each(files.filter((file) => file !== 'rule.ts'))('%s has a row in every-rule.ts', (file) => {
  const name = file.slice(0, -3).replace(/-./g, (initial) => initial[1]!.toUpperCase())
  expect(ownRules.map(([row]) => row.split(' ')[0])).toContain(name)
})

it('slidingWindowCounter moves its windows back with the clock, so its estimate falls on schedule', () => {
  const limiter = createLimiter(slidingWindowCounter({ limit: 4, windowMs: 1000 }), {
    clock: createManualClock(),
  })
  limiter.allow(4, 10_900)
  expect(limiter.allow(1, 3333)).toBe(false)
  // The window that was to end in 100 ms still does.
  expect(limiter.peek(1, 3433).allowed).toBe(false)
  expect(limiter.peek(1, 3434).allowed).toBe(true)
  expect(limiter.peek(2, 3683).allowed).toBe(false)
  expect(limiter.peek(2, 3684).allowed).toBe(true)
})

it('slidingWindowCounter estimates the same part of a window before and after a taking moves it', () => {
  const { allow } = createLimiter(slidingWindowCounter({ limit: 20, windowMs: 100 }), {
    clock: createManualClock(),
  })
  // 20 · (1 − 0.85) = 3
  expect([allow(20, 0), allow(18, 185), allow(17, 185)]).toEqual([true, false, true])
})

it('fixedWindow starts its windows on the minute with wallClock', () => {
  vi.useFakeTimers({ now: new Date('2026-08-01T12:34:56.789Z') })
  const limiter = createLimiter(fixedWindow({ limit: 1, windowMs: 60_000 }), { clock: wallClock })
  expect(limiter.decide()).toMatchObject({ allowed: true })
  expect(limiter.decide()).toMatchObject({ allowed: false, retryAfterMs: 3211 })
  vi.setSystemTime(new Date('2026-08-01T12:35:00.000Z'))
  expect(limiter.decide()).toMatchObject({ allowed: true })
})

it('fixedWindow starts a window at the exact multiple, however the quotient is rounded', () => {
  const windows = fc.oneof(
    fc.constantFrom(0.1, 1 / 3, 7.3, 1e-3, 60_000),
    fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
  )
  fc.assert(
    fc.property(windows, fc.integer({ min: 1, max: 1e9 }), (windowMs, index) => {
      const create = () => createLimiter(fixedWindow({ limit: 1, windowMs }), { clock: createManualClock() })
      const { allow } = create()
      const [start, end] = [index * windowMs, (index + 1) * windowMs]
      const before = (at: number): number => at - Math.max(Math.abs(at) * 2 ** -52, Number.MIN_VALUE)
      expect([before(start), start].map((at) => allow(1, at))).toEqual([true, true])
      expect([before(end), end].map((at) => allow(1, at))).toEqual([false, true])
      const late = create()
      late.allow(1, before(end))
      expect(late.peek(1, before(end)).retryAfterMs).toBeLessThan(windowMs / 2)
    }),
    // Before the end of this window the quotient is rounded up to the next index.
    { ...tries(1000), examples: [[1 / 3, 32]] },
  )
})

it.each(everyRule)('%s is fresh once everything taken is available again, and not before', (_, make) => {
  const keyed = createKeyedLimiter(make(10, 4), { clock: createTestClock() })
  keyed.allow('a', 4, 1000)
  keyed.allow('b', 1, 1010)
  expect(keyed.size).toBe(2)
  keyed.allow('b', 1, 1e6)
  expect(keyed.size).toBe(1)
})

const endless: ReturnType<typeof rulesThatAdmit> = [
  ...rulesThatAdmit(Infinity),
  ['tokenBucket at an infinite rate', tokenBucket({ ratePerSecond: Infinity, burst: Infinity })],
  ['tokenBucket at a rate of 0', tokenBucket({ ratePerSecond: 0, burst: Infinity })],
  ['gcra at an infinite rate', gcra({ ratePerSecond: Infinity, burst: Infinity })],
  ['gcra at a rate of 0', gcra({ ratePerSecond: 0, burst: Infinity })],
]

it.each(endless)('%s without a limit has Infinity left, also after an infinite cost', (_, rule) => {
  const clock = createTestClock()
  const waiting = createWaitingLimiter(rule, { clock })
  const keyed = createKeyedLimiter(rule, { clock })
  const decided = { allowed: true, retryAfterMs: 0, remaining: Infinity }
  const limiters = [
    createLimiter(rule, { clock }),
    waiting,
    allOf(createLimiter(rule, { clock })),
    { decide: keyed.decide.bind(undefined, 'key'), peek: keyed.peek.bind(undefined, 'key') },
  ]
  for (const cost of [1, Infinity, 1e300, Infinity, 0])
    for (const at of [0, 50, 170, 60])
      for (const { decide, peek } of limiters)
        expect([peek(cost, at), decide(cost, at), peek(1, at)]).toEqual(Array(3).fill(decided))
  waiting.reserve(Infinity, 200).cancel(200)
  expect(waiting.remaining()).toBe(Infinity)
})

it.each([
  ['tokenBucket at an infinite rate', tokenBucket({ ratePerSecond: Infinity, burst: 5 })],
  ['gcra at an infinite rate', gcra({ ratePerSecond: Infinity, burst: 5 })],
] as [string, Rule<never>][])('%s is full after any cost', (_, rule) => {
  const limiter = createWaitingLimiter(rule, { clock: createTestClock() })
  const decided = { allowed: true, retryAfterMs: 0, remaining: 5 }
  for (const cost of [1, 6, Infinity, 1]) expect(limiter.decide(cost)).toEqual(decided)
  limiter.reserve(Infinity).cancel()
  expect(limiter.peek(Infinity)).toEqual(decided)
})

it.each(ownRules)('%s is as new when an infinite cost of a key is given back', (_, make) => {
  const keyed = createKeyedLimiter(make(10, 4), { clock: createTestClock() })
  keyed.take('key', Infinity)
  expect(keyed.decide('key')).toMatchObject({ allowed: false, remaining: 0 })
  keyed.giveBack('key', Infinity)
  expect(keyed.decide('key')).toEqual({ allowed: true, retryAfterMs: 0, remaining: 3 })
})
