import fc from 'fast-check'
import { createKeyedLimiter, TokenBucket, tokenBucket, type Decision } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { forAll } from '../../laws/tries.ts'

function drain(bucket: TokenBucket, key: string): number {
  let allowed = 0
  while (bucket.allow(key).allowed) allowed++
  return allowed
}

describe('a bucket for each key', () => {
  it('FullBucketAllowsCapacity', () => {
    const bucket = new TokenBucket(10, 1, { clock: () => 0 })
    const decisions = Array.from({ length: 11 }, () => bucket.allow('a'))
    expect(decisions.map(({ allowed }) => allowed)).toEqual([...Array<boolean>(10).fill(true), false])
    expect(decisions.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0])
    expect(decisions.at(-1)!.retryAfterMs).toBeGreaterThan(0)
  })

  it('DenialCarriesRetryAfter', () => {
    let now = 0
    const bucket = new TokenBucket(3, 7, { clock: () => now })
    const denials: Decision[] = []
    for (; denials.length < 100; now += 1.7) {
      const decision = bucket.allow('a')
      if (!decision.allowed) denials.push(decision)
      else expect(decision.retryAfterMs).toBe(0)
    }
    for (const { retryAfterMs } of denials) expect(retryAfterMs).toBeGreaterThan(0)
  })

  it.each([1, 3, 7, 10, 0.1, 1 / 3])('RefillRestoresTokens: %d a second', (rate) => {
    let now = 0
    const bucket = new TokenBucket(5, rate, { clock: () => now })
    expect(drain(bucket, 'a')).toBe(5)
    for (let i = 0; i < 100; i++) {
      now += 1000 / rate
      expect(drain(bucket, 'a')).toBe(1)
    }
  })

  it('PerKeyIsolated', () => {
    const bucket = new TokenBucket(5, 1, { clock: () => 0 })
    expect(drain(bucket, 'a')).toBe(5)
    expect(bucket.allow('b')).toEqual({ allowed: true, retryAfterMs: 0, remaining: 4 })
    expect(bucket.allow('a').allowed).toBe(false)
  })

  it('ConcurrentAllowGrantsAtMostCapacity', async () => {
    const bucket = new TokenBucket(50, 1, { clock: () => 0 })
    const race = Array.from({ length: 100 }, async (_, i) => {
      // Each call runs after a different number of continuations.
      for (let turn = 0; turn < (i * 37) % 10; turn++) await Promise.resolve()
      return bucket.allow('a')
    })
    const allowed = (await Promise.all(race)).filter((decision) => decision.allowed)
    expect(allowed).toHaveLength(50)
  })
})

it('decides like a keyed limiter with the same rule and maxKeys', () => {
  const steps = fc.array(
    fc.record({
      gapMs: fc.double({ min: 0, max: 500, noNaN: true }),
      key: fc.constantFrom('a', 'b', 'c'),
      cost: fc.constantFrom(0, 0.5, 1, 3, 6),
    }),
  )
  forAll(100, steps, (steps) => {
    const clock = createManualClock()
    const bucket = new TokenBucket(5, 7, { clock: clock.now, maxKeys: 2 })
    const keyed = createKeyedLimiter(tokenBucket({ ratePerSecond: 7, burst: 5 }), { clock, maxKeys: 2 })
    for (const { gapMs, key, cost } of steps) {
      clock.advance(gapMs)
      expect(bucket.allow(key, cost)).toEqual(keyed.decide(key, cost))
    }
  })
})
