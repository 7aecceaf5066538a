import fc from 'fast-check'
import { slidingWindowLog, tokenBucket } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { limitRate, type RateLimit } from '../../../src/fetch/policies/limit-rate.ts'
import { rateRule } from '../../../src/fetch/policies/rate-rule.ts'
import { createFakeBucket, type FakeBucket } from '../fixtures/fake-bucket.ts'

/** Sends `count` requests as soon as the policy lets each go. Returns the instants. */
function sendAll({ hooks, clock, call }: FakeBucket, count: number): number[] {
  return Array.from({ length: count }, () => {
    const next = call()
    const at = hooks.readyAt(clock.now(), next)
    clock.advance(at - clock.now())
    expect(hooks.readyAt(clock.now(), next)).toBe(at)
    hooks.sent(next, at)
    return at
  })
}

const limitsOf = ({ hooks }: FakeBucket): unknown => ({ ...(hooks.snapshot() as { limits: object }).limits })

describe('a limit of the rate', () => {
  it.each([
    [{ ratePerSecond: 10, burst: 1 }, [0, 100, 200, 300, 400]],
    [{ ratePerSecond: 10, burst: 3 }, [0, 0, 0, 100, 200]],
    [{ ratePerSecond: 4 }, [0, 0, 0, 0, 250]],
    [{ ratePerSecond: 0.5 }, [0, 2000, 4000, 6000, 8000]],
    [{ ratePerSecond: Infinity }, [0, 0, 0, 0, 0]],
    [{ ratePerSecond: Infinity, burst: 1 }, [0, 0, 0, 0, 0]],
    [slidingWindowLog({ limit: 2, windowMs: 1000 }), [0, 0, 1000, 1000, 2000]],
    [() => undefined, [0, 0, 0, 0, 0]],
  ])('%o', (limit, at) => {
    expect(sendAll(createFakeBucket(limitRate(limit)), 5)).toEqual(at)
  })

  it('is that of `tokenBucket`, to the last bit', () => {
    const step = fc.record({ ms: fc.double({ min: 0, max: 1e4, noNaN: true }), cost: fc.nat(3) })
    const rates = fc.double({ min: 0.01, max: 1e4, noNaN: true })
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 50 }), fc.array(step), (ratePerSecond, burst, steps) => {
        const model = tokenBucket({ ratePerSecond, burst })
        const rule = rateRule(ratePerSecond, burst)
        const cells = [new Float64Array(2), new Float64Array(2)] as const
        model.start(cells[0], 0, 0)
        rule.start(cells[1], 0, 0)
        let at = 0
        for (const { ms, cost } of steps) {
          at += ms
          const missing = 1 - model.level(cells[0], 0, at)
          expect(rule.level(cells[1], 0, at)).toBe(model.level(cells[0], 0, at))
          expect(rule.waitMs(cells[1], 0, 1, at)).toBe(model.waitMs(cells[0], 0, 1, at))
          if (missing > 0) continue
          model.book(cells[0], 0, cost, at)
          rule.book(cells[1], 0, cost, at)
          expect(cells[1]).toEqual(cells[0])
        }
      }),
    )
  })

  it('changes in place, and keeps the tokens that are left', () => {
    let limit: RateLimit | undefined = { ratePerSecond: 1, burst: 4 }
    const bucket = createFakeBucket(limitRate(() => limit))
    expect(sendAll(bucket, 3)).toEqual([0, 0, 0])
    limit = { ratePerSecond: 10, burst: 2 }
    expect(sendAll(bucket, 3)).toEqual([0, 100, 200])
    limit = slidingWindowLog({ limit: 2, windowMs: 1000 })
    expect(sendAll(bucket, 2)).toEqual([1200, 1200])
    limit = undefined
    expect(sendAll(bucket, 3)).toEqual([1200, 1200, 1200])
    limit = { ratePerSecond: 1, burst: 2 }
    expect(sendAll(bucket, 3)).toEqual([1200, 1200, 2200])
    limit = { ratePerSecond: Infinity, burst: 2 }
    expect(sendAll(bucket, 3)).toEqual([2200, 2200, 2200])
  })

  it('gives no more than its burst when it is raised', () => {
    let limit = { ratePerSecond: 1, burst: 2 }
    const bucket = createFakeBucket(limitRate(() => limit))
    limit = { ratePerSecond: 1, burst: 5 }
    expect(limitsOf(bucket)).toEqual({ ratePerSecond: 1, burst: 5, tokens: 2 })
  })

  it('shows the limit in force, and what is left of it as of when it is read', () => {
    let limit: RateLimit | undefined = { ratePerSecond: 2 }
    const bucket = createFakeBucket(limitRate(() => limit))
    const first = bucket.hooks.snapshot() as { limits: { tokens: number } }
    sendAll(bucket, 2)
    expect(limitsOf(bucket)).toEqual({ ratePerSecond: 2, burst: 2, tokens: 0 })
    bucket.clock.advance(250)
    expect(first.limits.tokens).toBe(0.5)
    expect((bucket.hooks.snapshot() as typeof first).limits).toBe(first.limits)
    limit = undefined
    expect(limitsOf(bucket)).toEqual({ ratePerSecond: Infinity, burst: Infinity, tokens: Infinity })
  })

  it('is full again after a reset', () => {
    const bucket = createFakeBucket(limitRate({ ratePerSecond: 1, burst: 3 }))
    sendAll(bucket, 3)
    bucket.hooks.reset()
    expect(sendAll(bucket, 4)).toEqual([0, 0, 0, 1000])
  })

  it('lets its bucket be forgotten when it is full again', () => {
    const bucket = createFakeBucket(limitRate({ ratePerSecond: 1, burst: 3 }))
    expect(bucket.hooks.isIdle(0)).toBe(true)
    sendAll(bucket, 2)
    expect([1999, 2000].map((now) => bucket.hooks.isIdle(now))).toEqual([false, true])
  })

  it.each([
    [{ ratePerSecond: 0 }, 'ratePerSecond > 0, got 0'],
    [{ ratePerSecond: NaN }, 'ratePerSecond > 0, got NaN'],
    [{ ratePerSecond: '5' as never }, 'ratePerSecond > 0, got 5'],
    [5 as never, 'ratePerSecond > 0, got undefined'],
    [{ ratePerSecond: 1, burst: 0.5 }, 'burst >= 1, got 0.5'],
  ])('%o is none', (limit, message) => {
    expect(() => limitRate(limit)).toThrow(new RangeError(`Expected limitRate ${message}`))
  })
})
