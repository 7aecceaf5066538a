import {
  allOf,
  createWaitingLimiter,
  gcra,
  leakyBucket,
  tokenBucket,
  type GcraChanges,
  type WaitingLimiter,
  type Rule,
} from 'lull/core'
import { describe, expect, it } from 'vitest'
import {
  type AdaptiveLimiterOptions,
  createAdaptiveLimiter,
} from '../../../src/core/adaptive/adaptive-limiter.ts'
import { createAdjustableClock } from '../time/adjustable-clock.ts'
import { createTestClock } from '../time/clocks.ts'
import { settled, track } from '../shared/promises.ts'

// How it finds the rate of a server is in adaptive-limiter-laws.test.ts, how the strategies step in aimd and success-ratio.

const half = (): number => 0.5

/** From 1 to 100 a second, at first 50; a success adds 10 / rate, a failure leaves the half. No jitter. */
function setUp(options: AdaptiveLimiterOptions = {}) {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(gcra({ ratePerSecond: 50, burst: 1 }), { clock })
  const adaptive = createAdaptiveLimiter(limiter, {
    min: 1,
    max: 100,
    increase: 10,
    decrease: 0.5,
    random: half,
    ...options,
  })
  return { clock, limiter, adaptive }
}

describe('the rate', () => {
  it('is that of the limiter at first, within the bounds', () => {
    expect(setUp().adaptive.ratePerSecond).toBe(50)
    expect(setUp({ max: 20 }).adaptive.ratePerSecond).toBe(20)
    expect(setUp({ min: 70 }).adaptive.ratePerSecond).toBe(70)
  })

  it('rises with each success and falls with a failure, and is that of the limiter', () => {
    const { adaptive, limiter } = setUp()
    adaptive.success()
    expect(adaptive.ratePerSecond).toBe(50.2)
    expect(limiter.snapshot().ratePerSecond).toBe(50.2)
    expect(adaptive.snapshot().ratePerSecond).toBe(50.2)
    adaptive.failure()
    expect(adaptive.ratePerSecond).toBe(25.1)
    expect(limiter.snapshot().ratePerSecond).toBe(25.1)
  })

  it('stays within the bounds', () => {
    const { clock, adaptive } = setUp({ min: 10 })
    for (let n = 0; n < 1000; n++) adaptive.success()
    expect(adaptive.ratePerSecond).toBe(100)
    const rates: number[] = []
    for (let n = 0; n < 5; n++) {
      adaptive.failure()
      rates.push(adaptive.ratePerSecond)
      clock.advance(1000)
    }
    expect(rates).toEqual([50, 25, 12.5, 10, 10])
  })

  it('is at most that of the limiter, and at least a hundredth, by default', () => {
    const clock = createTestClock()
    const adaptive = createAdaptiveLimiter(tokenBucket({ ratePerSecond: 60, burst: 1 }), { clock, jitter: 0 })
    adaptive.success()
    expect(adaptive.ratePerSecond).toBe(60)
    adaptive.failure()
    expect(adaptive.ratePerSecond).toBe(42)
    clock.advance(1000)
    // It would take a minute of success from 0 to the most.
    for (let n = 0; n < 42; n++) adaptive.success()
    expect(adaptive.ratePerSecond).toBeCloseTo(43, 1)
    for (let n = 0; n < 30; n++) {
      adaptive.failure()
      clock.advance(1000)
    }
    expect(adaptive.ratePerSecond).toBe(0.6)
  })

  it('is set by configure, and goes on from there, within the bounds', () => {
    const { adaptive } = setUp()
    adaptive.configure({ ratePerSecond: 20 })
    adaptive.success()
    expect(adaptive.ratePerSecond).toBe(20.5)
    adaptive.configure({ ratePerSecond: 500 })
    expect([adaptive.ratePerSecond, adaptive.snapshot().ratePerSecond]).toEqual([100, 100])
    adaptive.configure({ burst: 7 })
    expect(adaptive.snapshot()).toMatchObject({ ratePerSecond: 100, burst: 7 })
  })

  it.each([
    ['a thousandth of it', 1000, 1001, 1001],
    ['less than that', 1000, 1000.9, 1000],
    ['less than that, to the least', 1000.5, 1000, 1000],
    ['less than that, to the most', 1999.5, 2000, 2000],
  ])('goes with what its strategy wants if that moves it by %s', (_, from, to, ratePerSecond) => {
    const limiter = createAdaptiveLimiter(tokenBucket({ ratePerSecond: from, burst: 1 }), {
      clock: createTestClock(),
      min: 1000,
      max: 2000,
      jitter: 0,
      strategy: () => to,
    })
    limiter.success()
    expect([limiter.ratePerSecond, limiter.snapshot().ratePerSecond]).toEqual([ratePerSecond, ratePerSecond])
  })

  it('may follow another strategy', () => {
    const seen: unknown[] = []
    const { clock, adaptive } = setUp({
      strategy(ratePerSecond, isSuccess, now) {
        seen.push([ratePerSecond, isSuccess, now])
        return ratePerSecond + 1
      },
    })
    adaptive.success()
    clock.advance(10)
    adaptive.failure()
    expect(seen).toEqual([
      [50, true, 0],
      [51, false, 10],
    ])
    expect(adaptive.ratePerSecond).toBe(52)
  })

  it('is held after a failure for as long as that takes, though the clock is set back', () => {
    const clock = createAdjustableClock(1e7)
    const adaptive = createAdaptiveLimiter(gcra({ ratePerSecond: 64, burst: 1 }), { decrease: 0.5, clock })
    adaptive.failure()
    clock.adjust(-3_600_000)
    adaptive.failure()
    clock.advance(1000)
    adaptive.failure()
    expect(adaptive.ratePerSecond).toBe(16)
  })
})

describe('jitter', () => {
  it.each([
    [0, 0.16],
    [0.5, 0.2],
    [0.999_999, 0.24],
  ])('makes an increase larger or smaller by up to its part: a random number of %d', (random, gain) => {
    const { adaptive } = setUp({ jitter: 0.2, random: () => random })
    adaptive.success()
    expect(adaptive.ratePerSecond).toBeCloseTo(50 + gain, 6)
  })

  it('leaves decreases alone', () => {
    const { adaptive } = setUp({ jitter: 1, random: () => 0 })
    adaptive.failure()
    expect(adaptive.ratePerSecond).toBe(25)
  })

  it('has those part who are told the same', () => {
    const told = (jitter: number) => {
      const { adaptive } = setUp({ jitter, random: Math.random })
      for (let n = 0; n < 50; n++) adaptive.success()
      return adaptive.ratePerSecond
    }
    expect(told(0)).toBe(told(0))
    expect(told(0.1)).not.toBe(told(0.1))
  })
})

describe('damping', () => {
  it('has the rate come half of the way in dampingMs', () => {
    const { clock, adaptive } = setUp({ dampingMs: 500, strategy: () => 90 })
    adaptive.success()
    const rates = [adaptive.ratePerSecond]
    for (let n = 0; n < 3; n++) {
      clock.advance(500)
      adaptive.success()
      rates.push(adaptive.ratePerSecond)
    }
    expect(rates).toEqual([50, 70, 80, 85])
  })
})

describe('latency', () => {
  it('is a success until it is known what is usual, and then as long as it is not much longer', () => {
    const { adaptive } = setUp({ increase: 1, percentile: 0.5, tolerance: 3 })
    const outcome = (ms: number): string => {
      const before = adaptive.ratePerSecond
      adaptive.latency(ms)
      const { ratePerSecond } = adaptive
      adaptive.configure({ ratePerSecond: before })
      return ratePerSecond < before ? 'failure' : 'success'
    }
    for (let n = 0; n < 10; n++) {
      expect(outcome(10_000)).toBe('success')
      expect(outcome(64)).toBe('success')
    }
    for (let n = 0; n < 80; n++) adaptive.latency(64)
    adaptive.configure({ ratePerSecond: 50 })
    expect(outcome(192)).toBe('success')
    expect(outcome(193)).toBe('failure')
  })

  it.each([-1, NaN])('throws for %d', (ms) => {
    expect(() => setUp().adaptive.latency(ms)).toThrow(new RangeError(`Expected ms >= 0, got ${ms}`))
  })
})

describe('as a limiter', () => {
  it.each<[string, Rule<{ ratePerSecond?: number | undefined }>]>([
    ['a token bucket', tokenBucket({ ratePerSecond: 50, burst: 2 })],
    ['GCRA', gcra({ ratePerSecond: 50, burst: 2 })],
    ['a leaky bucket', leakyBucket({ ratePerSecond: 50, capacity: 2 })],
  ])('it is %s of its rate', (_, rule) => {
    const clock = createTestClock()
    const adaptive = createAdaptiveLimiter(rule, { clock, decrease: 0.5 })
    expect([adaptive.allow(), adaptive.allow(), adaptive.allow()]).toEqual([true, true, false])
    expect(adaptive.decide()).toEqual({ allowed: false, retryAfterMs: 20, remaining: 0 })
    adaptive.failure()
    expect(adaptive.peek()).toEqual({ allowed: false, retryAfterMs: 40, remaining: 0 })
    expect(adaptive.remaining()).toBe(0)
    expect(adaptive.reserve().delay()).toBe(40)
    expect(adaptive.snapshot()).toMatchObject({ allowed: 3, denied: 2, burst: 2 })
  })

  it('gives those who wait new turns when the rate changes, and tells who subscribes', async () => {
    const { clock, adaptive } = setUp()
    adaptive.allow()
    const waits = [track(adaptive.wait()), track(adaptive.wait())]
    let told = 0
    adaptive.subscribe(() => told++)
    adaptive.failure()
    expect(told).toBeGreaterThan(0)
    await clock.advanceAsync(40)
    expect(waits.map(({ state }) => state)).toEqual(['resolved', 'pending'])
    await clock.advanceAsync(40)
    expect(waits.map(({ state }) => state)).toEqual(['resolved', 'resolved'])
  })

  it('is not set anew for a change that makes no difference to speak of', () => {
    const { adaptive, limiter } = setUp({ increase: 0.1 })
    const last = limiter.snapshot()
    for (let n = 0; n < 20; n++) adaptive.success()
    expect(limiter.snapshot()).toBe(last)
    for (let n = 0; n < 10; n++) adaptive.success()
    expect(limiter.snapshot().ratePerSecond).toBeGreaterThanOrEqual(50.05)
    for (let n = 0; n < 100_000; n++) adaptive.success()
    expect(limiter.snapshot().ratePerSecond).toBe(100)
  })

  it('can be disposed of and bypassed', async () => {
    const { adaptive } = setUp()
    adaptive.bypass(true)
    expect([adaptive.allow(), adaptive.allow()]).toEqual([true, true])
    adaptive.bypass(false)
    adaptive.allow()
    const wait = track(adaptive.wait())
    adaptive[Symbol.dispose]()
    await settled()
    expect(wait.state).toBe('rejected')
  })

  it('can be used through methods taken off it', () => {
    const { adaptive } = setUp()
    const { success, failure, latency, allow } = adaptive
    success()
    failure()
    latency(1)
    expect(allow()).toBe(true)
    expect(adaptive.ratePerSecond).toBe(25.1)
  })

  it('is not made of limits that have no rate to be set', () => {
    const clock = createTestClock()
    const both = allOf(createWaitingLimiter(gcra({ ratePerSecond: 1, burst: 1 }), { clock }))
    expect(() => createAdaptiveLimiter(both)).toThrow(TypeError)
  })

  it('keeps the type of what it is made of', () => {
    const adaptive: WaitingLimiter<GcraChanges> = createAdaptiveLimiter(gcra({ ratePerSecond: 1, burst: 1 }))
    expect(adaptive.snapshot().burst).toBe(1)
  })
})

describe('options', () => {
  it.each<[AdaptiveLimiterOptions, string]>([
    [{ min: 0 }, 'Expected min > 0, got 0'],
    [{ min: NaN }, 'Expected min > 0, got NaN'],
    [{ min: 2, max: 1 }, 'Expected max >= 2, got 1'],
    [{ max: Infinity }, 'Expected max <= 1.7976931348623157e+308, got Infinity'],
    [{ increase: 0 }, 'Expected increase > 0, got 0'],
    [{ decrease: 2 }, 'Expected decrease <= 1, got 2'],
    [{ dampingMs: -1 }, 'Expected dampingMs >= 0, got -1'],
    [{ jitter: -0.1 }, 'Expected jitter >= 0, got -0.1'],
    [{ jitter: 1.1 }, 'Expected jitter <= 1, got 1.1'],
    [{ percentile: 0 }, 'Expected percentile > 0, got 0'],
    [{ percentile: 90 }, 'Expected percentile <= 1, got 90'],
    [{ tolerance: 0.5 }, 'Expected tolerance >= 1, got 0.5'],
  ])('throw for %o', (options, message) => {
    expect(() => setUp({ increase: 10, ...options })).toThrow(new RangeError(message))
  })

  it('may be undefined, for their defaults', () => {
    const adaptive = createAdaptiveLimiter(gcra({ ratePerSecond: 60, burst: 1 }), {
      min: undefined,
      max: undefined,
      increase: undefined,
      decrease: undefined,
      strategy: undefined,
      jitter: undefined,
      clock: createTestClock(),
    })
    adaptive.failure()
    expect(adaptive.ratePerSecond).toBe(42)
  })
})
