import fc from 'fast-check'
import {
  allOf,
  createWaitingLimiter,
  fixedWindow,
  gcra,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type Rule,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { leastWaitMs } from '../../../src/core/limit/least-wait.ts'
import { createQueue } from '../../../src/core/queue/queue.ts'
import { createTestClock } from '../time/clocks.ts'

const RULES: [name: string, make: () => Rule<never>][] = [
  ['gcra with a burst of 1', () => gcra({ ratePerSecond: 10, burst: 1 })],
  ['gcra', () => gcra({ ratePerSecond: 7, burst: 2.5 })],
  ['token bucket', () => tokenBucket({ ratePerSecond: 10, burst: 4 })],
  ['fixed window', () => fixedWindow({ limit: 4, windowMs: 1000 })],
  ['sliding window log', () => slidingWindowLog({ limit: 4, windowMs: 1000 })],
  ['sliding window counter', () => slidingWindowCounter({ limit: 4, windowMs: 1000 })],
]

/** When the last of `count` of cost 1 starts, and what was foretold of it, after some were taken at `takenAt`. */
async function lastOf(rule: Rule<never>, count: number, takenAt: number[]) {
  const clock = createManualClock(300)
  const limiter = createWaitingLimiter(rule, { clock })
  for (const ms of takenAt) {
    clock.advance(ms)
    limiter.allow()
  }
  const foretold = leastWaitMs(limiter, count - 1, 1)
  const queue = createQueue({ limiter, clock })
  const since = clock.now()
  let last = NaN
  for (let n = 0; n < count; n++) void queue.add(() => (last = clock.now() - since))
  await clock.advanceAsync(60_000)
  return { foretold, last }
}

const taken = fc.array(fc.constantFrom(0, 1, 70, 250, 900), { maxLength: 8 })

describe.each(RULES)('after others, by the rule %s', (_, make) => {
  it('is never longer than it takes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 15 }), taken, async (count, takenAt) => {
        const { foretold, last } = await lastOf(make(), count, takenAt)
        expect(foretold).toBeLessThanOrEqual(last + 1e-6)
      }),
      { numRuns: 100, seed: 1 },
    )
  })
})

describe.each(RULES.filter(([name]) => !name.includes('window')))(
  'after others, by the rule %s',
  (_, make) => {
    it('is exact unless the limiter is full', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 15 }), taken, async (count, takenAt) => {
          const { foretold, last } = await lastOf(make(), count, [...takenAt, 0])
          expect(foretold).toBeCloseTo(last, 6)
        }),
        { numRuns: 100, seed: 2 },
      )
    })
  },
)

describe('the least wait', () => {
  const clock = () => createTestClock()

  it.each<[what: string, rule: Rule<never>, before: number, cost: number, waitMs: number]>([
    ['that fits', tokenBucket({ ratePerSecond: 10, burst: 4 }), 3, 1, 0],
    ['that does not quite', tokenBucket({ ratePerSecond: 10, burst: 4 }), 3.5, 1, 0],
    ['that never fits', tokenBucket({ ratePerSecond: 10, burst: 4 }), 0, 5, Infinity],
    ['that fits never, after others', tokenBucket({ ratePerSecond: 10, burst: 4 }), 8, 5, Infinity],
    ['of which there is still one', tokenBucket({ ratePerSecond: 0, burst: 4, initial: 1 }), 4, 1, 0],
    ['without a limit', tokenBucket({ ratePerSecond: Infinity, burst: 4 }), 100, 100, 0],
    ['after ten', tokenBucket({ ratePerSecond: 10, burst: 1, initial: 0 }), 10, 1, 1100],
    ['after ten of a full one', tokenBucket({ ratePerSecond: 10, burst: 1 }), 10, 1, 0],
  ])('of a cost %s', (_, rule, before, cost, waitMs) => {
    expect(leastWaitMs(createWaitingLimiter(rule, { clock: clock() }), before, cost)).toBeCloseTo(waitMs, 6)
  })

  it('is none while the limiter is bypassed', () => {
    const limiter = createWaitingLimiter(gcra({ ratePerSecond: 1, burst: 1 }), { clock: clock() })
    limiter.allow()
    limiter.bypass(true)
    expect(leastWaitMs(limiter, 10, 1)).toBe(0)
  })

  it('counts in what is booked already', () => {
    const limiter = createWaitingLimiter(gcra({ ratePerSecond: 10, burst: 1 }), { clock: clock() })
    for (let n = 0; n < 5; n++) limiter.reserve()
    expect(leastWaitMs(limiter, 3, 1)).toBeCloseTo(800, 6)
  })

  it('is as exact at a reading of the wall clock', () => {
    const limiter = createWaitingLimiter(gcra({ ratePerSecond: 9.99, burst: 1 }), {
      clock: createTestClock(1.7e12 + 1 / 3),
    })
    limiter.allow()
    expect(leastWaitMs(limiter, 9, 1)).toBeCloseTo(10_000 / 9.99, 2)
  })

  it('of several limits in one is that of the cost alone', () => {
    const time = clock()
    const quick = createWaitingLimiter(gcra({ ratePerSecond: 10, burst: 1 }), { clock: time })
    const large = createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 100 }), { clock: time })
    const both = allOf(quick, large)
    both.allow()
    expect(leastWaitMs(both, 10, 1)).toBe(100)
  })
})
