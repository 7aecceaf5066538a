import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketLimit, logLimit, sharedLimit, windowLimit, type ServerLimit } from './race-for-limit.ts'
import { conditions, expectSound, race } from './race-for-limit.ts'
import { A, callAll, paths, start } from '../fixtures/start.ts'
import { tries } from '../../laws/tries.ts'

const rates = fc.oneof(fc.constantFrom(1, 2, 200), fc.integer({ min: 1, max: 200 }))
const bursts = fc.oneof(fc.constantFrom(1, 2, 50), fc.integer({ min: 1, max: 50 }))
const windows = fc.constantFrom(200, 1000, 5000, 60_000)
const traits = fc.record({ rate: rates, burst: bursts, windowMs: windows, fallsAt: fc.nat(10_000) })
/**
 * How often it is refused, and how near it comes, is measured and no law: a window that doubles sends 194 of 200 calls
 * into a limit of 42 and 200 a second before it hears of the first refusal. So these are the same tries always.
 */
const SAMPLE = { numRuns: 15, seed: 67 }

type Traits = typeof traits extends fc.Arbitrary<infer T> ? T : never

/** The limit for a minute is a tenth of what it is before and after. */
const fallingFrom =
  (fallsAt: number) =>
  (at: number): number =>
    at > fallsAt && at < fallsAt + 60_000 ? 0.1 : 1

describe('the learnt pace, whatever the limit', () => {
  // Refusals of a hundred calls, at most: it does 22 where 4 pass at once and 4 a second, and then half a dozen more or less.
  // Less than that tells nothing of the limit, so that each call may be refused twice, and more often where another client
  // that keeps step takes what there is.
  it.each<[string, (traits: Traits) => ServerLimit, number, number]>([
    ['a token bucket', ({ rate, burst }) => bucketLimit(rate, burst), 40, 300],
    ['a fixed window', ({ burst, windowMs }) => windowLimit(burst, windowMs), 40, 300],
    ['a sliding log', ({ burst, windowMs }) => logLimit(burst, windowMs), 40, 300],
    [
      'a bucket of which another client takes half',
      ({ rate, burst }) => sharedLimit(bucketLimit(rate, burst), rate / 2),
      40,
      2000,
    ],
    [
      'a bucket that falls to a tenth and recovers',
      ({ rate, burst, fallsAt }) => bucketLimit(rate, burst, fallingFrom(fallsAt)),
      40,
      300,
    ],
  ])(
    '%s: all calls are served, none is sent before the end of a Retry-After',
    { timeout: 60_000 },
    async (_, limitOf, most, mostOfAll) => {
      await fc.assert(
        fc.asyncProperty(traits, conditions, async (given, condition) => {
          const result = await race(limitOf(given), condition)
          expectSound(result)
          const isTelling = given.burst >= 4 && given.rate >= 4
          expect(result.refusals).toBeLessThanOrEqual(isTelling ? most : mostOfAll)
        }),
        SAMPLE,
      )
    },
  )

  it(
    'finds the rate of a token bucket after enough calls, to a factor of 2',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 4, max: 60 }),
          fc.integer({ min: 4, max: 50 }),
          fc.constantFrom(0, 0.5, 0.999),
          async (rate, burst, drawn) => {
            const count = 200 + 20 * rate + 8 * burst
            const { paces } = await race(bucketLimit(rate, burst), { count, random: () => drawn })
            expect(paces.at(-1)!.from).toBe('refusals')
            expect(paces.at(-1)!.ratePerSecond).toBeGreaterThan(rate / 2)
            expect(paces.at(-1)!.ratePerSecond).toBeLessThan(rate * 2)
          },
        ),
        SAMPLE,
      )
    },
  )

  it('never exceeds what the options allow', async () => {
    await fc.assert(
      fc.asyncProperty(
        traits,
        conditions,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 10 }),
        async (given, condition, ratePerSecond, burst, concurrency) => {
          const options = { ...condition, count: 60, ratePerSecond, burst, concurrency }
          const result = await race(bucketLimit(given.rate, given.burst), options)
          expectSound(result)
          expect(result.server.peak).toBeLessThanOrEqual(concurrency)
          const at = result.server.at()
          for (let last = 0; last < at.length; last++)
            for (let first = 0; first < last; first++)
              if (last - first + 1 > burst + ((at[last]! - at[first]!) / 1000) * ratePerSecond + 1e-6)
                expect.fail(`${last - first + 1} from ${at[first]} to ${at[last]}`)
        },
      ),
      tries(60),
    )
  })
})

const absurd = fc.constantFrom('0', '1', '7', '999999999999999', '86400')
const lies = fc.record({
  quota: absurd,
  windowS: absurd,
  left: absurd,
  resetS: fc.constantFrom('0', '1', '2'),
  isTold: fc.boolean(),
})

describe('a server that lies', () => {
  it('of what is left and of its policy: all calls are served', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(lies, conditions, async ({ quota, windowS, left, resetS, isTold }, condition) => {
        const result = await race(bucketLimit(20, 10), { ...condition, count: 40 }, (waitMs) => ({
          'ratelimit-policy': `"a";q=${quota};w=${windowS}`,
          ratelimit: `"a";r=${left};t=${resetS}`,
          ...(isTold && waitMs > 0 && { 'retry-after': '1' }),
        }))
        expectSound(result)
      }),
      tries(20),
    )
  })

  it('of its pause, which is longer than it says: all calls are served', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 60_000 }),
        conditions,
        async (burst, pauseMs, condition) => {
          const limit = bucketLimit(20, burst)
          let closedUntil = 0
          const pausing = (at: number): number => {
            if (at < closedUntil) return closedUntil - at
            const waitMs = limit(at)
            if (waitMs > 0) closedUntil = at + pauseMs
            return waitMs
          }
          expectSound(
            await race(pausing, { ...condition, count: 40 }, (waitMs): Record<string, string> =>
              waitMs > 0 ? { 'retry-after': '1' } : {},
            ),
          )
        },
      ),
      tries(20),
    )
  })
})

describe('the learnt pace', () => {
  it('is learnt from throttles alone: late responses and errors of the server change nothing', async () => {
    const started = start({ random: () => 0.5 }, (_, index) => ({
      status: [200, 500, 502, 503, 408][index % 5]!,
      latencyMs: 10 * 2 ** (index % 12),
    }))
    const { f, server, clock } = started
    callAll(started, paths(100))
    await clock.advanceAsync(100_000)
    expect(f.snapshot(A)!.pace).toBe(undefined)
    const before = server.requests.length
    callAll(started, paths(50))
    expect(server.requests.length - before).toBeGreaterThanOrEqual(8)
    await clock.advanceAsync(100_000)
  })
})
