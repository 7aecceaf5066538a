// Laws 3, 5, 7 and 9.
import {
  allOf,
  createKeyedLimiter,
  createLimiter,
  createWaitingLimiter,
  every,
  gcra,
  leakyBucket,
  tokenBucket,
  type KeyedLimiter,
  type Limiter,
  type Rule,
  RateLimitError,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import {
  bucketRules,
  everyRule,
  bursts,
  costs,
  createAsked,
  gaps,
  rates,
  readings,
  rulesThatAdmit,
} from '../rules/every-rule.ts'
import { recordsOf } from '../../../laws/steps.ts'
import { forAll } from '../../../laws/tries.ts'

it.each(rulesThatAdmit(0))('%s of 0 never admits a cost above 0', async (_, rule) => {
  const clock = createManualClock()
  const limiter = createWaitingLimiter(rule, { clock })
  const keyed = createKeyedLimiter(rule, { clock })
  const never = { allowed: false, retryAfterMs: Infinity, remaining: 0 }
  for (let i = 0; i < 3; i++) {
    clock.advance(1000)
    expect([limiter.decide(), limiter.decide(1e-9), keyed.decide('a')]).toEqual([never, never, never])
    expect([limiter.allow(0), keyed.allow('a', 0)]).toEqual([true, true])
    expect([limiter.reserve(0).ok, limiter.reserve().ok]).toEqual([true, false])
    await limiter.wait(0)
    await expect(limiter.wait()).rejects.toMatchObject({ retryAfterMs: Infinity })
  }
  expect([limiter.remaining(), clock.pending]).toEqual([0, 0])
})

it.each([
  ['tokenBucket', tokenBucket({ ratePerSecond: Infinity, burst: 0 })],
  ['gcra', gcra({ ratePerSecond: Infinity, burst: 0 })],
  ['leakyBucket', leakyBucket({ ratePerSecond: Infinity, capacity: 0 })],
] as [string, Rule<never>][])('%s allows all at an infinite rate, with a burst of 0 too', async (_, rule) => {
  const limiter = createWaitingLimiter(rule, { clock: createManualClock() })
  for (const cost of [0, 1, 1e9]) {
    expect([limiter.allow(cost), limiter.decide(cost).allowed]).toEqual([true, true])
    expect(limiter.reserve(cost).delay()).toBe(0)
    await limiter.wait(cost, { timeoutMs: 0 })
  }
})

it('an interval or a rate of -0 counts as 0', () => {
  expect([every(-0), every(0), every(Infinity)]).toEqual([Infinity, Infinity, 0])
  for (const rule of [tokenBucket({ ratePerSecond: -0, burst: 1 }), gcra({ ratePerSecond: -0, burst: 1 })]) {
    const { allow, decide } = createLimiter(rule, { clock: createManualClock() })
    expect([allow(), decide()]).toEqual([true, { allowed: false, retryAfterMs: Infinity, remaining: 0 }])
  }
})

it('a snapshot that onEvent reads has counted the refusal', () => {
  const read: number[] = []
  const onEvent = () => read.push(limiter.snapshot().denied)
  const clock = createManualClock()
  const rule = tokenBucket({ ratePerSecond: 0, burst: 0 })
  const keyed = createKeyedLimiter(rule, { clock, onEvent })
  let limiter: Pick<Limiter | KeyedLimiter, 'snapshot'> = keyed
  keyed.snapshot()
  keyed.allow('a')
  for (const create of [createLimiter, createWaitingLimiter]) {
    const { allow, snapshot } = (limiter = create(rule, { clock, onEvent }))
    snapshot()
    allow()
  }
  expect(read).toEqual([1, 1, 1])
})

describe.each(everyRule)('%s', (_, make) => {
  it('a refusal stays one if onEvent lifts the limit', () => {
    const clock = createManualClock()
    const lifted = { allowed: false, retryAfterMs: 1 }
    const makers = [createLimiter, createWaitingLimiter]
    for (const create of makers) {
      const limiter = create(make(10, 2), { clock, onEvent: () => limiter.bypass(true) })
      const { allow, decide, peek } = allOf(limiter)
      limiter.allow(2)
      expect(limiter.decide()).toMatchObject(lifted)
      limiter.bypass(false)
      expect(decide()).toMatchObject(lifted)
      expect([peek().allowed, allow()]).toEqual([true, true])
    }
    const keyed = createKeyedLimiter(make(10, 2), { clock, onEvent: ({ key }) => keyed.delete(key) })
    keyed.allow('a', 2)
    expect(keyed.decide('a')).toMatchObject(lifted)
    expect(keyed.peek('a').allowed).toBe(true)
  })

  it('decides as if refused calls had not been made', () => {
    const script = recordsOf(40, { gap: gaps, cost: costs })
    forAll(200, rates, bursts, readings, script, (rate, burst, startAt, script) => {
      const asked = createAsked(make(rate, burst), startAt, 'at')
      const passes: { at: number; cost: number; level: number }[] = []
      for (const { gap, cost } of script) {
        const at = (asked.now += (gap * 1000) / rate)
        if (asked.limiter.allow(cost, at)) passes.push({ at, cost, level: asked.limiter.remaining(at) })
      }
      const twin = createAsked(make(rate, burst), startAt, 'at').limiter
      for (const { at, cost, level } of passes)
        expect([twin.allow(cost, at), twin.remaining(at)]).toEqual([true, level])
    })
  })

  it.each([5 + 1e-10, 6, 1e300, Infinity])(
    'never allows a cost above its capacity of 5: %d',
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

  it('allows a cost of 0 unless it is in debt', () => {
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
  it('never refills at a rate of 0', async () => {
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

  it('refunds a cancelled reservation, also at a rate of 0', () => {
    const limiter = createWaitingLimiter(make(0, 3), { clock: createManualClock() })
    const reservation = limiter.reserve(3)
    expect([reservation.ok, reservation.at]).toEqual([true, 0])
    reservation.cancel()
    expect(limiter.remaining()).toBe(3)
  })
})
