import fc from 'fast-check'
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
  costs,
  createAsked,
  gaps,
  holdsForAny,
  rulesThatAdmit,
  windowRules,
} from '../rules/every-rule.ts'
import { recordsOf } from '../../../laws/steps.ts'

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

/** Costs with exact sums, so that refunds equal what was taken. */
const bookings = fc.array(fc.constantFrom(0, 0.25, 0.5, 1, 2, 7), { minLength: 1, maxLength: 8 })

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
    holdsForAny(make, 200, script, (asked, script, { rate, burst, startAt }) => {
      const { limiter } = asked
      const passes: { at: number; cost: number; level: number }[] = []
      for (const { gap, cost } of script) {
        const at = (asked.now += (gap * 1000) / rate)
        if (limiter.allow(cost, asked.at())) passes.push({ at, cost, level: limiter.remaining(asked.at()) })
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

  it('restores its level if all reservations are cancelled, last to first', () => {
    holdsForAny(
      make,
      100,
      bookings,
      (asked, booked, { rate, burst, startAt }) => {
        const { limiter } = asked
        // Immediate reservations are not distinguished, in Go neither: put all of them into debt.
        limiter.allow(burst, asked.at())
        const level = limiter.remaining(asked.at())
        const reservations = booked.map((cost) => limiter.reserve(cost, asked.at()))
        for (const { cancel } of reservations.toReversed()) cancel(asked.at())
        const rounding = 1e-9 + startAt * 2 ** -48 * rate
        expect(Math.abs(limiter.remaining(asked.at()) - level)).toBeLessThanOrEqual(rounding)
      },
      fc.integer({ min: 1, max: 20 }),
    )
  })

  it('refunds nothing if cancelled after its instant, and everything at its instant', () => {
    for (const lateMs of [0, 1]) {
      const asked = createAsked(make(10, 4), 0, 'clock')
      const { limiter } = asked
      limiter.allow(4)
      const reservation = limiter.reserve(4)
      asked.now = reservation.at + lateMs
      const levelBefore = limiter.remaining()
      reservation.cancel()
      if (lateMs > 0) expect(limiter.remaining()).toBe(levelBefore)
      else expect(limiter.remaining()).toBeGreaterThanOrEqual(levelBefore + 4 - 1e-9)
    }
  })

  it('refunds nothing for a reservation of 0', () => {
    const asked = createAsked(make(1, 1), 0, 'clock')
    const { limiter } = asked
    const [first, second, nothing] = [1, 1, 0, 0].map((cost) => limiter.reserve(cost))
    second!.cancel()
    const level = limiter.remaining()
    nothing!.cancel()
    expect(limiter.remaining()).toBe(level)
    expect(limiter.reserve(1).at).toBeGreaterThanOrEqual(first!.at + 1000)
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

it.each(windowRules)(
  '%s returns a wait behind a reservation that suffices, to the last bit of the clock',
  (_, make) => {
    for (let n = 1; n <= 200; n++) {
      const asked = createAsked(make(10, 1), Math.sqrt(n), 'clock')
      const { limiter } = asked
      limiter.allow()
      limiter.reserve()
      asked.now += limiter.peek().retryAfterMs
      expect(limiter.allow(), `from ${Math.sqrt(n)}`).toBe(true)
    }
  },
)

// Refunds with later reservations: these costs are reserved at 0 with the level `left`, at 10 a second.
describe.each(bucketRules)('%s refunds what later reservations have not taken', (_, make) => {
  it.each<[does: string, left: number, booked: number[], cancels: number[], at: number, level: number]>([
    ['the last', 0, [5, 3], [1], 0, -5],
    ['the first: 3 of its 5 are promised to the second', 0, [5, 3], [0], 0, -6],
    ['the first, all of which is promised', 0, [2, 3], [0], 0, -5],
    ['the last, half way', 0, [5, 3], [1], 400, -1],
    ['the first, half way', 0, [5, 3], [0], 400, -2],
    ['both, first to last', 0, [5, 3], [0, 1], 0, -3],
    ['both, last to first', 0, [5, 3], [1, 0], 0, 0],
    ['the middle one', 0, [5, 3, 1], [1], 0, -7],
    ['two that are due at once, last to first', 2, [1, 1], [1, 0], 0, 2],
    ['the last, then one that is due at once', 1, [1, 5], [1, 0], 0, 1],
  ])('cancels %s', (_, left, booked, cancels, at, level) => {
    const { limiter } = createAsked(make(10, 10), 0, 'at')
    limiter.allow(10 - left, 0)
    const reservations = booked.map((cost) => limiter.reserve(cost, 0))
    for (const index of cancels) reservations[index]!.cancel(at)
    expect(limiter.remaining(at)).toBeCloseTo(level, 9)
  })
})
