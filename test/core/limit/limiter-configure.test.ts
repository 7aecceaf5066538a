import {
  createWaitingLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { everyRule } from './every-rule.ts'

const clock = createManualClock()

describe.each([
  ['tokenBucket', tokenBucket],
  ['gcra', gcra],
])('%s', (_, make) => {
  const limiterWith = (
    level: number,
  ): ReturnType<typeof createWaitingLimiter<{ ratePerSecond?: number; burst?: number }>> => {
    const limiter = createWaitingLimiter(make({ ratePerSecond: 10, burst: 10 }), { clock })
    limiter.allow(10 - level, 0)
    return limiter
  }

  it('keeps its tokens when the rate changes, and refills at the new one from then on', () => {
    const limiter = limiterWith(2)
    limiter.configure({ ratePerSecond: 100 }, 300)
    expect(limiter.remaining(300)).toBeCloseTo(5, 9)
    expect(limiter.remaining(310)).toBeCloseTo(6, 9)
    expect(limiter.snapshot()).toMatchObject({ ratePerSecond: 100, burst: 10 })
    limiter.configure({ ratePerSecond: 0 }, 320)
    expect([limiter.remaining(320), limiter.remaining(1e9)]).toEqual(
      [7, 7].map((tokens) => expect.closeTo(tokens, 9) as number),
    )
    limiter.configure({ ratePerSecond: Infinity }, 400)
    expect([limiter.allow(1000, 400), limiter.remaining(400)]).toEqual([true, 10])
    limiter.configure({ ratePerSecond: 1 }, 500)
    expect(limiter.remaining(500)).toBe(10)
  })

  it('keeps its tokens, up to the new burst', () => {
    const limiter = limiterWith(6)
    limiter.configure({ burst: 20 }, 0)
    expect([limiter.remaining(0), limiter.remaining(10_000)]).toEqual(
      [6, 20].map((tokens) => expect.closeTo(tokens, 9) as number),
    )
    limiter.configure({ burst: 3 }, 10_000)
    expect(limiter.remaining(10_000)).toBeCloseTo(3, 9)
    expect(limiter.allow(4, 10_000)).toBe(false)
  })

  it('keeps its debt', () => {
    const limiter = limiterWith(0)
    const reservation = limiter.reserve(5, 0)
    expect(reservation.at).toBeCloseTo(500, 9)
    limiter.configure({ ratePerSecond: 20, burst: 4 }, 100)
    expect(limiter.remaining(100)).toBeCloseTo(-4, 9)
    expect(limiter.peek(0, 100).retryAfterMs).toBeCloseTo(200, 9)
    // What was promised stays.
    expect(reservation.at).toBeCloseTo(500, 9)
  })
})

it('leakyBucket keeps the room that is left, up to the new capacity', () => {
  const limiter = createWaitingLimiter(leakyBucket({ ratePerSecond: 10, capacity: 10 }), { clock })
  limiter.allow(8, 0)
  limiter.configure({ capacity: 5, ratePerSecond: 1 }, 100)
  expect(limiter.remaining(100)).toBeCloseTo(3, 9)
  expect(limiter.remaining(1100)).toBeCloseTo(4, 9)
  expect(limiter.snapshot()).toMatchObject({ ratePerSecond: 1, burst: 5 })
  expect(() => limiter.configure({ capacity: -1 })).toThrow(new RangeError('Expected capacity >= 0, got -1'))
})

it('fixedWindow keeps what was taken in its window, whatever the new one is', () => {
  const limiter = createWaitingLimiter(fixedWindow({ limit: 10, windowMs: 1000 }), { clock })
  limiter.allow(4, 1100)
  limiter.configure({ limit: 5 }, 1200)
  expect(limiter.remaining(1200)).toBe(1)
  limiter.configure({ windowMs: 500 }, 1300)
  expect([limiter.remaining(1300), limiter.remaining(1499), limiter.remaining(1500)]).toEqual([1, 1, 5])
  limiter.allow(5, 1500)
  limiter.configure({ limit: 3 }, 1500)
  expect([limiter.remaining(1500), limiter.allow(0, 1500), limiter.allow(3, 2000)]).toEqual([-2, false, true])
})

it('slidingWindowLog keeps its entries, and when they were made', () => {
  const limiter = createWaitingLimiter(slidingWindowLog({ limit: 4, windowMs: 1000 }), { clock })
  for (const at of [0, 100, 200, 300]) limiter.allow(1, at)
  limiter.configure({ limit: 6 }, 400)
  expect([limiter.allow(2, 400), limiter.allow(1, 400)]).toEqual([true, false])
  expect([1000, 1100, 1200, 1300, 1400].map((at) => limiter.remaining(at))).toEqual([1, 2, 3, 4, 6])
  limiter.configure({ windowMs: 500 }, 600)
  expect([600, 700, 800, 900].map((at) => limiter.remaining(at))).toEqual([2, 3, 4, 6])
})

it('slidingWindowLog has forgotten what was out, though its new window is longer', () => {
  for (const isTried of [false, true]) {
    const limiter = createWaitingLimiter(slidingWindowLog({ limit: 4, windowMs: 1000 }), { clock })
    for (const at of [0, 600]) limiter.allow(2, at)
    if (isTried) limiter.allow(4, 1500)
    limiter.configure({ windowMs: 10_000 }, 1500)
    expect([1500, 10_599, 10_600].map((at) => limiter.remaining(at))).toEqual([2, 2, 4])
  }
})

it('slidingWindowLog takes its entries back with a clock that was set back', () => {
  const limiter = createWaitingLimiter(slidingWindowLog({ limit: 4, windowMs: 1000 }), { clock })
  for (const at of [9000, 9600]) limiter.allow(2, at)
  limiter.configure({ limit: 5 }, 600)
  expect([600, 999, 1000, 1600].map((at) => limiter.remaining(at))).toEqual([1, 1, 3, 5])
})

it('slidingWindowLog for fewer entries lets none pass before it may, and some a little later', () => {
  const limiter = createWaitingLimiter(slidingWindowLog({ limit: 4, windowMs: 1000 }), { clock })
  for (const at of [0, 100, 200, 300]) limiter.allow(1, at)
  limiter.configure({ limit: 2 }, 400)
  expect(limiter.remaining(400)).toBe(-2)
  // Those at 100, 200 and 300 are kept as one, at 300.
  expect([1000, 1299, 1300].map((at) => limiter.remaining(at))).toEqual([-1, -1, 2])
})

it('slidingWindowCounter keeps its estimate, and how much of the window has gone by', () => {
  const limiter = createWaitingLimiter(slidingWindowCounter({ limit: 10, windowMs: 1000 }), { clock })
  limiter.allow(8, 500)
  limiter.allow(2, 1250)
  // 8 · (1 − 0.25) + 2 = 8
  expect(limiter.remaining(1250)).toBe(2)
  limiter.configure({ limit: 9, windowMs: 2000 }, 1250)
  expect(limiter.remaining(1250)).toBe(1)
  // A quarter of 2,000 ms has gone by, as of 1,000: half of it at 1,750.
  expect(limiter.remaining(1750)).toBe(9 - (8 * 0.5 + 2))
  expect(limiter.remaining(2751)).toBe(9 - 1)
})

describe.each(everyRule)('%s', (_, make) => {
  it('stays as it is for what is absent or undefined', () => {
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(1, 0)
    const shown = limiter.snapshot()
    limiter.configure({}, 0)
    limiter.configure(
      {
        ratePerSecond: undefined,
        burst: undefined,
        capacity: undefined,
        limit: undefined,
        windowMs: undefined,
      },
      0,
    )
    expect(limiter.snapshot()).toBe(shown)
    expect(limiter.remaining(0)).toBeCloseTo(3, 9)
  })

  it('changes a limiter, not its rule', () => {
    const rule = make(10, 4)
    createWaitingLimiter(rule, { clock }).configure({ ratePerSecond: 1, burst: 1, capacity: 1, limit: 1 }, 0)
    expect(createWaitingLimiter(rule, { clock }).snapshot()).toMatchObject({ ratePerSecond: 10, burst: 4 })
  })
})
