import fc from 'fast-check'
import { createWaitingLimiter, RateLimitError } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import {
  bucketRules,
  bursts,
  costs,
  createAsked,
  everyRule,
  gaps,
  rates,
  readings,
} from '../rules/every-rule.ts'
import { tries } from '../../../laws/tries.ts'

describe.each(everyRule)('%s', (_, make) => {
  it('decides as if what it refused had never been asked', () => {
    const script = fc.array(fc.record({ gap: gaps, cost: costs }), { maxLength: 40, size: 'max' })
    fc.assert(
      fc.property(rates, bursts, readings, script, (rate, burst, startAt, script) => {
        const asked = createAsked(make(rate, burst), startAt, 'at')
        const passes: { at: number; cost: number; level: number }[] = []
        for (const { gap, cost } of script) {
          const at = (asked.now += (gap * 1000) / rate)
          if (asked.limiter.allow(cost, at)) passes.push({ at, cost, level: asked.limiter.remaining(at) })
        }
        const twin = createAsked(make(rate, burst), startAt, 'at').limiter
        for (const { at, cost, level } of passes)
          expect([twin.allow(cost, at), twin.remaining(at)]).toEqual([true, level])
      }),
      tries(200),
    )
  })

  it.each([5.000001, 6, 1e300, Infinity])(
    'refuses a cost above its capacity of 5 for ever: %d',
    async (cost) => {
      const clock = createManualClock(7)
      const limiter = createWaitingLimiter(make(10, 5), { clock })
      const never = { allowed: false, retryAfterMs: Infinity, remaining: 5 }
      expect(limiter.peek(cost)).toEqual(never)
      expect(limiter.decide(cost)).toEqual(never)
      expect(limiter.allow(cost, 2 ** 41)).toBe(false)
      const reservation = limiter.reserve(cost)
      expect(reservation).toMatchObject({ ok: false, at: Infinity })
      expect([reservation.delay(), reservation.delay(1e15)]).toEqual([Infinity, Infinity])
      reservation.cancel()
      const error: unknown = await limiter.wait(cost).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(RateLimitError)
      expect(error).toMatchObject({ code: 'wait-too-long', retryAfterMs: Infinity })
      expect([limiter.remaining(), clock.pending]).toEqual([5, 0])
      expect(limiter.allow(5)).toBe(true)
    },
  )

  it('allows a cost of 0 as long as it is not in debt', () => {
    const clock = createManualClock()
    const limiter = createWaitingLimiter(make(10, 5), { clock })
    expect(limiter.allow(0)).toBe(true)
    expect(limiter.allow(5)).toBe(true)
    expect(limiter.decide(0)).toEqual({ allowed: true, retryAfterMs: 0, remaining: 0 })
    const { at } = limiter.reserve(2)
    expect(limiter.remaining()).toBeLessThanOrEqual(0)
    const refused = limiter.decide(0)
    expect(refused).toEqual({ allowed: false, retryAfterMs: at, remaining: 0 })
    clock.advance(refused.retryAfterMs)
    expect(limiter.allow(0)).toBe(true)
  })
})

describe.each(bucketRules)('%s', (_, make) => {
  it('never refills at a rate of 0: the initial level is all there is', async () => {
    const clock = createManualClock()
    const limiter = createWaitingLimiter(make(0, 3), { clock })
    expect([limiter.allow(), limiter.allow(2, 1e12)]).toEqual([true, true])
    for (const at of [0, 1e12, 2 ** 41, 1e15]) {
      expect(limiter.decide(1, at)).toEqual({ allowed: false, retryAfterMs: Infinity, remaining: 0 })
      expect(limiter.remaining(at)).toBe(0)
    }
    expect(limiter.reserve().ok).toBe(false)
    await expect(limiter.wait()).rejects.toMatchObject({ code: 'wait-too-long', retryAfterMs: Infinity })
    expect(clock.pending).toBe(0)
  })

  it('gives back what a cancelled reservation took, at a rate of 0 too', () => {
    const limiter = createWaitingLimiter(make(0, 3), { clock: createManualClock() })
    const reservation = limiter.reserve(3)
    expect([reservation.ok, reservation.at]).toEqual([true, 0])
    reservation.cancel()
    expect(limiter.remaining()).toBe(3)
  })
})
