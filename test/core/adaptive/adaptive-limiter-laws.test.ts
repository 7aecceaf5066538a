import fc from 'fast-check'
import { createWaitingLimiter, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import {
  type AdaptiveLimiterOptions,
  createAdaptiveLimiter,
} from '../../../src/core/adaptive/adaptive-limiter.ts'
import { successRatio } from '../../../src/core/adaptive/rate-strategies.ts'
import { createRandom } from '../../field/random.ts'
import { scriptsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'

/** A client that sends as much as its limiter allows to a server 50 ms away, whose limit it does not know. */
function simulate(from: number, options: AdaptiveLimiterOptions, serverBurst: number) {
  const clock = createManualClock()
  const server = createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: serverBurst }), { clock })
  const rule = tokenBucket({ ratePerSecond: from, burst: 2 })
  const limiter = createAdaptiveLimiter(rule, { random: createRandom(1), clock, ...options })
  /** Runs for `seconds`. Returns the rate at each ms, and how many calls succeeded and failed. */
  return function run(seconds: number, ratePerSecond: number) {
    server.configure({ ratePerSecond })
    const rates: number[] = []
    const counts = { success: 0, failure: 0 }
    for (let ms = 0; ms < seconds * 1000; ms++) {
      while (limiter.allow()) {
        const outcome = server.allow() ? 'success' : 'failure'
        counts[outcome]++
        clock.after(50, limiter[outcome])
      }
      clock.advance(1)
      rates.push(limiter.ratePerSecond)
    }
    return { rates, ...counts }
  }
}

const bandOf = (rates: number[]): [least: number, most: number] => [Math.min(...rates), Math.max(...rates)]

it.each([
  [20, 200],
  [50, 200],
  [50, 5],
  [150, 200],
  [150, 5],
])(
  'to a server whose limit it does not know reaches the band of its steps for %d a second from %d, and stays there',
  (limit, from) => {
    const increase = 3
    const serverBurst = 5
    const run = simulate(from, { max: 200, increase }, serverBurst)
    run(60, limit)
    const { rates, success, failure } = run(60, limit)
    const [least, most] = bandOf(rates)
    // A failure multiplies a rate above the limit by 0.7. It comes once the excess has used up the burst:
    // with a rate too high by r = increase · t the excess is r² / (2 · increase).
    expect(least).toBeGreaterThan(0.7 * limit - 1)
    expect(most).toBeLessThan(limit + Math.sqrt(2 * increase * serverBurst) + 1)
    expect(success).toBeGreaterThan(0.8 * limit * 60)
    // Sometimes it sends too much.
    expect(failure).toBeGreaterThan(0)
    expect(failure).toBeLessThan(0.02 * success)
  },
)
it('finds the throughput of a server that refuses nothing and slows down by latency alone, without a backlog', () => {
  const clock = createManualClock()
  const limiter = createAdaptiveLimiter(tokenBucket({ ratePerSecond: 30, burst: 2 }), {
    clock,
    max: 200,
    random: createRandom(1),
  })
  let freeAt = 0
  /** Serves `ratePerSecond` requests, one by one; the network adds 20 ms to each. */
  function run(seconds: number, ratePerSecond: number) {
    const rates: number[] = []
    let longestMs = 0
    for (let ms = 0; ms < seconds * 1000; ms++) {
      while (limiter.allow()) {
        freeAt = Math.max(freeAt, clock.now()) + 1000 / ratePerSecond
        const tookMs = freeAt - clock.now() + 20
        longestMs = Math.max(longestMs, tookMs)
        clock.after(tookMs, () => limiter.latency(tookMs))
      }
      clock.advance(1)
      rates.push(limiter.ratePerSecond)
    }
    return { band: bandOf(rates), longestMs }
  }
  for (const capacity of [50, 100]) {
    run(30, capacity)
    const { band, longestMs } = run(60, capacity)
    expect(band[0]).toBeGreaterThan(0.6 * capacity)
    expect(band[1]).toBeLessThan(1.2 * capacity)
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
