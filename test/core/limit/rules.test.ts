import fc from 'fast-check'
import { createLimiter, fixedWindow, gcra, slidingWindowCounter, tokenBucket, wallClock } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { everyRule, windowRules } from './every-rule.ts'
import { tries } from '../../laws/tries.ts'

const clock = createManualClock()

describe.each(everyRule)('%s', (_, make) => {
  it('has a rate and a burst', () => {
    expect(make(8, 4)).toMatchObject({ ratePerSecond: 8, burst: 4 })
  })

  it('serves several limiters that know nothing of each other', () => {
    const rule = make(10, 2)
    const [one, other] = [createLimiter(rule, { clock }), createLimiter(rule, { clock })]
    expect([one.allow(2), one.allow(), other.allow(2)]).toEqual([true, false, true])
    one.configure({ burst: 3, capacity: 3, limit: 3 })
    expect([one.snapshot().burst, other.snapshot().burst]).toEqual([3, 2])
  })
})

it('takes undefined initial tokens for a full bucket', () => {
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 2, initial: undefined }), { clock })
  expect(limiter.remaining()).toBe(2)
})

it.each(windowRules)('%s has a rate of limit a window', (_, make) => {
  expect(make(1 / 3, 20).ratePerSecond).toBeCloseTo(1 / 3, 12)
})

it('gcra decides as it peeks where rounding is coarser than its slack', () => {
  const limiter = createLimiter(gcra({ ratePerSecond: 1e-6, burst: 10 }), { clock })
  limiter.allow(10, 0)
  // The next double before 10^9 of those in which TAT and its tolerance, of some 10^10 ms, are told.
  const at = 1e9 - 2 ** -19
  expect(limiter.peek(1, at).allowed).toBe(false)
  expect(limiter.decide(1, at).allowed).toBe(false)
})

it('slidingWindowCounter says how long it is until the whole part of its estimate leaves room', () => {
  const limiter = createLimiter(slidingWindowCounter({ limit: 4, windowMs: 1000 }), {
    clock: createManualClock(),
  })
  limiter.allow(4, 500)
  // 4 · (1 − f) has to fall below 4, 3, 2, 1: at f = 0, 0.25, 0.5, 0.75.
  for (const [cost, at] of [
    [1, 1000],
    [2, 1250],
    [3, 1500],
    [4, 1750],
  ] as const) {
    const { retryAfterMs } = limiter.peek(cost, 500)
    expect(retryAfterMs).toBeCloseTo(at - 500, 9)
    expect(limiter.peek(cost, at).allowed).toBe(false)
    expect(limiter.peek(cost, 500 + retryAfterMs).allowed).toBe(true)
  }
})

it('slidingWindowCounter takes its windows back with the clock: its estimate falls as it would have', () => {
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

afterEach(() => {
  vi.useRealTimers()
})

it('fixedWindow begins on the minute with wallClock', () => {
  vi.useFakeTimers({ now: new Date('2026-08-01T12:34:56.789Z') })
  const limiter = createLimiter(fixedWindow({ limit: 1, windowMs: 60_000 }), { clock: wallClock })
  expect(limiter.decide()).toMatchObject({ allowed: true })
  expect(limiter.decide()).toMatchObject({ allowed: false, retryAfterMs: 3211 })
  vi.setSystemTime(new Date('2026-08-01T12:35:00.000Z'))
  expect(limiter.decide()).toMatchObject({ allowed: true })
})

it('fixedWindow without an end refuses for ever, whatever instants it is asked for', () => {
  const { allow, peek } = createLimiter(fixedWindow({ limit: 1, windowMs: Infinity }), { clock })
  expect([allow(1, 0), allow(1, 1e300), allow(1, 5)]).toEqual([true, false, false])
  expect(peek(1, 5).retryAfterMs).toBe(Infinity)
})

it('fixedWindow begins a window at the product, whichever way the quotient is rounded', () => {
  const windows = fc.oneof(
    fc.constantFrom(0.1, 1 / 3, 7.3, 1e-3, 60_000),
    fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
  )
  fc.assert(
    fc.property(windows, fc.integer({ min: 1, max: 1e9 }), (windowMs, index) => {
      const { allow } = createLimiter(fixedWindow({ limit: 1, windowMs }), { clock: createManualClock() })
      const [start, end] = [index * windowMs, (index + 1) * windowMs]
      const before = (at: number): number => at - Math.max(Math.abs(at) * 2 ** -52, Number.MIN_VALUE)
      expect([before(start), start, before(end), end].map((at) => allow(1, at))).toEqual([
        true,
        true,
        false,
        true,
      ])
    }),
    tries(1000),
  )
})
