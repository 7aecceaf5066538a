import fc from 'fast-check'
import { createWaitingLimiter, gcra, leakyBucket, tokenBucket, type Rule } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import {
  type AdaptiveLimiterOptions,
  createAdaptiveLimiter,
} from '../../../src/core/adaptive/adaptive-limiter.ts'
import { createLatencyPercentile } from '../../../src/core/adaptive/latency-percentile.ts'
import { successRatio } from '../../../src/core/adaptive/rate-strategies.ts'
import { createRandom } from '../../field/random.ts'
import { scriptsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'
import { createTestClock } from '../time/clocks.ts'

// See rate-strategies.test.ts for the steps of the strategies.

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
    adaptive.configure({ ratePerSecond: 50 }, 10)
    expect(adaptive.remaining(10)).toBe(2)
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
  for (const ratePerSecond of [50, 70, 80, 85]) {
    adaptive.success()
    expect(adaptive.ratePerSecond).toBe(ratePerSecond)
    clock.advance(500)
  }
})

it('latency is a success until the usual latency is known, and then if it is not much longer', () => {
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

it.each<[string, Rule<{ ratePerSecond?: number | undefined }>]>([
  ['a token bucket', tokenBucket({ ratePerSecond: 50, burst: 2 })],
  ['GCRA', gcra({ ratePerSecond: 50, burst: 2 })],
  ['a leaky bucket', leakyBucket({ ratePerSecond: 50, capacity: 2 })],
])('as a limiter, uses %s with its rate', (_, rule) => {
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

/** A client that calls as its limiter allows. `run` lasts for `seconds`, and returns the least and the highest rate. */
function createClient(from: number, options: AdaptiveLimiterOptions = {}) {
  const clock = createManualClock()
  const rule = tokenBucket({ ratePerSecond: from, burst: 2 })
  const limiter = createAdaptiveLimiter(rule, { max: 200, random: createRandom(1), clock, ...options })
  function run(seconds: number, call: () => void): [least: number, most: number] {
    const rates: number[] = []
    for (let ms = 0; ms < seconds * 1000; ms++) {
      while (limiter.allow()) call()
      clock.advance(1)
      rates.push(limiter.ratePerSecond)
    }
    return [Math.min(...rates), Math.max(...rates)]
  }
  return { clock, limiter, run }
}

it.each([
  [20, 200],
  [50, 200],
  [50, 5],
  [150, 200],
  [150, 5],
])(
  'reaches the band of its steps around the limit of a server, %d a second, from %d, and stays there',
  (limit, from) => {
    const increase = 3
    const burst = 5
    const { clock, limiter, run } = createClient(from, { increase })
    const server = createWaitingLimiter(tokenBucket({ ratePerSecond: limit, burst }), { clock })
    let counts = { success: 0, failure: 0 }
    const call = (): void => {
      const outcome = server.allow() ? 'success' : 'failure'
      counts[outcome]++
      clock.after(50, limiter[outcome])
    }
    run(60, call)
    counts = { success: 0, failure: 0 }
    const [least, most] = run(60, call)
    // A failure multiplies a rate above the limit by 0.7. It comes once the excess has used up the burst:
    // with a rate too high by r = increase · t the excess is r² / (2 · increase).
    expect(least).toBeGreaterThan(0.7 * limit - 1)
    expect(most).toBeLessThan(limit + Math.sqrt(2 * increase * burst) + 1)
    expect(counts.success).toBeGreaterThan(0.8 * limit * 60)
    // Sometimes it sends too much.
    expect(counts.failure).toBeGreaterThan(0)
    expect(counts.failure).toBeLessThan(0.02 * counts.success)
  },
)

it('finds the throughput of a server that refuses nothing and slows down by latency alone, without a backlog', () => {
  const { clock, limiter, run } = createClient(30)
  let freeAt = 0
  for (const capacity of [50, 100]) {
    let longestMs = 0
    // The server works on one call at a time; the network adds 20 ms to each.
    const call = (): void => {
      freeAt = Math.max(freeAt, clock.now()) + 1000 / capacity
      const tookMs = freeAt - clock.now() + 20
      longestMs = Math.max(longestMs, tookMs)
      clock.after(tookMs, () => limiter.latency(tookMs))
    }
    run(30, call)
    longestMs = 0
    const [least, most] = run(60, call)
    expect(least).toBeGreaterThan(0.6 * capacity)
    expect(most).toBeLessThan(1.2 * capacity)
    expect(longestMs).toBeLessThan(150)
  }
})

it('stays within its bounds and equals the rate of the limiter, whatever is reported', () => {
  const steps = scriptsOf(60, {
    'success failure': [1, { times: fc.nat(200) }],
    latency: [1, { ms: fc.double({ min: 0, max: 1e6, noNaN: true }) }],
    advance: [1, { ms: fc.double({ min: 0, max: 1e5, noNaN: true }) }],
    configure: [1, { to: fc.double({ min: 0, max: 1e9, noNaN: true }) }],
    allow: 1,
  })
  const options = fc.record({
    min: fc.double({ min: 1e-3, max: 10, noNaN: true }),
    max: fc.double({ min: 10, max: 1e6, noNaN: true }),
    increase: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
    decrease: fc.double({ min: 1e-3, max: 1, noNaN: true }),
    holdMs: fc.constantFrom(0, 1000),
    dampingMs: fc.constantFrom(0, 1, 1000),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    minFailures: fc.constantFrom(1, 3),
  })
  forAll(
    500,
    steps,
    options,
    fc.boolean(),
    fc.integer({ min: 1, max: 1e9 }),
    (script, options, isRatio, seed) => {
      const clock = createManualClock()
      const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 50, burst: 3 }), { clock })
      const strategy = isRatio ? successRatio({ intervalMs: 100 }) : undefined
      const adaptive = createAdaptiveLimiter(limiter, { ...options, strategy, random: createRandom(seed) })
      for (const step of script) {
        if (step.do === 'latency') adaptive.latency(step.ms)
        else if (step.do === 'advance') clock.advance(step.ms)
        else if (step.do === 'configure') adaptive.configure({ ratePerSecond: step.to })
        else if (step.do === 'allow') adaptive.allow()
        else for (let n = 0; n < step.times; n++) adaptive[step.do]()
        expect(adaptive.ratePerSecond).toBeGreaterThanOrEqual(options.min)
        expect(adaptive.ratePerSecond).toBeLessThanOrEqual(options.max)
        expect(limiter.snapshot().ratePerSecond).toBe(adaptive.ratePerSecond)
      }
      expect(clock.pending).toBe(0)
    },
  )
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
    for (let n = 0; n < 20; n++) percentile.add(n % 2 ? 4 : 1024)
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
