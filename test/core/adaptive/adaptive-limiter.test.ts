import fc from 'fast-check'
import { createWaitingLimiter, gcra, leakyBucket, tokenBucket, type Rule } from 'lull/core'
import { describe, expect, it } from 'vitest'
import {
  type AdaptiveLimiterOptions,
  createAdaptiveLimiter,
} from '../../../src/core/adaptive/adaptive-limiter.ts'
import { createLatencyPercentile } from '../../../src/core/adaptive/latency-percentile.ts'
import { forAll } from '../../laws/tries.ts'
import { createTestClock } from '../time/clocks.ts'

// See adaptive-limiter-laws.test.ts for convergence, rate-strategies.test.ts for the steps of the strategies.

/** From 1 to 100 a second, initially 50; a success adds 10 / rate, a failure halves. No jitter. */
function setUp(options: AdaptiveLimiterOptions = {}) {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(gcra({ ratePerSecond: 50, burst: 1 }), { clock })
  const usual = { min: 1, max: 100, increase: 10, decrease: 0.5, random: () => 0.5 }
  const adaptive = createAdaptiveLimiter(limiter, { ...usual, ...options })
  return { clock, limiter, adaptive }
}

describe('the rate', () => {
  it('is by default at most that of the limiter, and at least a hundredth of it', () => {
    const clock = createTestClock()
    const adaptive = createAdaptiveLimiter(tokenBucket({ ratePerSecond: 60, burst: 1 }), { clock, jitter: 0 })
    adaptive.success()
    expect(adaptive.ratePerSecond).toBe(60)
    adaptive.failure()
    expect(adaptive.ratePerSecond).toBe(42)
    clock.advance(1000)
    // By default a minute of success raises it from 0 to the maximum.
    for (let n = 0; n < 42; n++) adaptive.success()
    expect(adaptive.ratePerSecond).toBeCloseTo(43, 1)
    for (let n = 0; n < 30; n++) {
      adaptive.failure()
      clock.advance(1000)
    }
    expect(adaptive.ratePerSecond).toBe(0.6)
  })

  it('is set by configure within the bounds, and continues from there', () => {
    const { adaptive } = setUp()
    // A rate out of bounds would let all waiting calls pass, or reject them.
    const rates = new Set<number>()
    adaptive.subscribe(() => rates.add(adaptive.snapshot().ratePerSecond))
    adaptive.configure({ ratePerSecond: 0 })
    adaptive.configure({ ratePerSecond: 20 })
    adaptive.success()
    expect(adaptive.ratePerSecond).toBe(20.5)
    adaptive.configure({ ratePerSecond: Infinity })
    expect([...rates]).toEqual([1, 20, 20.5, 100])
    expect(adaptive.ratePerSecond).toBe(100)
    adaptive.configure({ burst: 7 })
    expect(adaptive.snapshot()).toMatchObject({ ratePerSecond: 100, burst: 7 })
  })

  it.each([
    ['a thousandth of it', 1000, 1001, 1001],
    ['less than that', 1000, 1000.9, 1000],
    ['less than that, to the least', 1000.5, 1000, 1000],
    ['less than that, to the most', 1999.5, 2000, 2000],
  ])('follows its strategy if the change is %s', (_, from, to, ratePerSecond) => {
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
})

it.each([
  [0, 0.16],
  [0.5, 0.2],
  [0.999_999, 0.24],
])('jitter scales an increase by up to its share, with a random number of %d', (random, gain) => {
  const { adaptive } = setUp({ jitter: 0.2, random: () => random })
  adaptive.success()
  expect(adaptive.ratePerSecond).toBeCloseTo(50 + gain, 6)
})
it('damping moves the rate half of the way in dampingMs', () => {
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
describe('latency', () => {
  it('is a success until the usual latency is known, and then if it is not much longer', () => {
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
  ])('uses %s with its rate', (_, rule) => {
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
})

/**
 * The least latency such that latencies up to it have at least `part` of the weight. Weights halve every 500. A latency below 1 ms
 * counts as 1 ms, and one above about four hours as that.
 */
function naive(part: number, latencies: number[]): number {
  const weighed = latencies
    .map((ms, index) => ({
      ms: Math.min(Math.max(ms, 1), 2 ** (191 / 8)),
      weight: 2 ** ((index - latencies.length) / 500),
    }))
    .sort((a, b) => a.ms - b.ms)
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  let sum = 0
  for (const { ms, weight } of weighed) {
    sum += weight
    if (sum >= part * total * (1 - 1e-12)) return ms
  }
  return NaN
}

describe('a latency percentile', () => {
  it('is at most 9 % above that of all latencies, with more weight for newer ones', () => {
    const latency = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constantFrom(0, 1e9, Infinity))
    forAll(
      200,
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.array(latency, { minLength: 20, maxLength: 2000, size: 'max' }),
      (part, latencies) => {
        const percentile = createLatencyPercentile(part)
        for (const ms of latencies) percentile.add(ms)
        const right = naive(part, latencies)
        expect(percentile.value! / right).toBeGreaterThan(1 - 1e-9)
        expect(percentile.value! / right).toBeLessThan(2 ** (1 / 8) + 1e-9)
      },
    )
  })

  it.each([
    [Number.MIN_VALUE, 4],
    [0.4, 4],
    [1, 1024],
  ])('of %d is a latency that occurred', (part, value) => {
    const percentile = createLatencyPercentile(part)
    for (let n = 0; n < 1000; n++) percentile.add(n % 2 ? 4 : 1024)
    expect(percentile.value).toBe(value)
  })

  it('stays accurate after a million latencies', () => {
    const percentile = createLatencyPercentile(0.9)
    for (let n = 0; n < 1_000_000; n++) percentile.add(n % 10 === 0 ? 4096 : 32)
    expect(percentile.value).toBe(32)
    for (let n = 0; n < 20; n++) percentile.add(4096)
    expect(percentile.value).toBe(4096)
  })
})
