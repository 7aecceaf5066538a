import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLearntPace } from '../../src/fetch/learnt-pace.ts'
import { createPassLog } from '../../src/fetch/pass-log.ts'
import { createQuota } from '../../src/fetch/quota.ts'

/** Instants that step back too, and lie far apart. */
const instants = fc.oneof(
  fc.integer({ min: -1e6, max: 1e6 }),
  fc.nat(1000),
  fc.constantFrom(0, 1e12, 0.1, -1e12),
)
const numbers = fc.constantFrom(0, 1, 2, 3, 50, 999_999_999_999_999)

describe('R67 whatever is heard, and when', () => {
  it('R67 the learnt pace says a finite instant from now on, and thinks of a rate above 0', () => {
    const told = fc.tuple(
      fc.constantFrom('sent' as const, 'passed' as const, 'refused' as const),
      fc.integer({ min: 1, max: 30 }),
      instants,
      instants,
    )
    let paces = 0
    let estimates = 0
    fc.assert(
      fc.property(fc.array(told, { maxLength: 60, size: 'max' }), (sequence) => {
        paces++
        const pace = createLearntPace()
        for (const [what, times, at, other] of sequence) {
          for (let time = 0; time < times; time++)
            if (what === 'refused') pace.refused(at + time, other)
            else pace[what](at + time * 10)
          for (const now of [at, other]) {
            const readyAt = pace.readyAt(now)
            expect(readyAt >= now && readyAt < Infinity, `readyAt(${now}) is ${readyAt}`).toBe(true)
          }
          const { ratePerSecond = 1, burst = 1 } = pace.estimate ?? {}
          expect(ratePerSecond > 0 && ratePerSecond < Infinity, `rate ${ratePerSecond}`).toBe(true)
          expect(burst >= 1 && burst < Infinity, `burst ${burst}`).toBe(true)
          if (pace.estimate) estimates++
        }
      }),
      { numRuns: 500, seed: 67 },
    )
    expect(estimates / paces).toBeGreaterThan(2)
  })

  it('R142 the log of what has passed does not grow', () => {
    const log = createPassLog()
    log.sent(0)
    for (let index = 0; index < 100_000; index++) log.passed(index)
    const { passes } = log.ends(100_000, -Infinity)
    expect(passes).toBeGreaterThan(200)
    expect(passes).toBeLessThanOrEqual(512)
  })

  it('R29 R142 what is left says a finite instant from now on, of 8 limits at most', () => {
    const limit = fc.record({
      name: fc.nat(11).map(String),
      available: fc.option(numbers, { nil: undefined }),
      windowMs: fc.option(numbers, { nil: undefined }),
      unit: fc.constantFrom('requests', 'requests', 'bytes', 'concurrent-requests'),
    })
    const policy = fc.record({
      name: fc.nat(1).map(String),
      quota: numbers,
      windowMs: fc.option(fc.constantFrom(1, 1000, 999_999_999_999_999), { nil: undefined }),
      unit: fc.constant('requests'),
    })
    const step = fc.tuple(
      fc.constantFrom('sent', 'read', 'read'),
      instants,
      fc.array(limit, { maxLength: 3 }),
      fc.array(policy, { maxLength: 2 }),
      fc.nat(100),
      fc.nat(50),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const quota = createQuota(() => true)
        for (const [what, now, limits, policies, sequence, inFlight] of steps) {
          if (what === 'sent') quota.sent(now)
          else
            quota.read(
              { source: 'ratelimit', limits, policies, waitMs: undefined } as never,
              sequence,
              inFlight,
              600_000,
              now,
            )
          const readyAt = quota.readyAt(now)
          expect(readyAt >= now && readyAt < Infinity, `readyAt(${now}) is ${readyAt}`).toBe(true)
          expect(quota.left(-Infinity).length).toBeLessThanOrEqual(8)
          expect(quota.concurrency).toBeGreaterThanOrEqual(1)
        }
      }),
      { numRuns: 500, seed: 29 },
    )
  })
})
