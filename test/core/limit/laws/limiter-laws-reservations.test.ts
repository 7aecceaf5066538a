import { describe, expect, it } from 'vitest'
import {
  createAsked,
  windowRules,
  bucketRules,
  byClockOrAt,
  everyRule,
  rates,
  readings,
} from '../rules/every-rule.ts'
import fc from 'fast-check'
import { tries } from '../../../laws/tries.ts'

describe.each(windowRules)('%s, which has no debt', (name, make) => {
  it('places a reservation after all earlier ones, even if it would fit before', () => {
    const { limiter } = createAsked(make(10, 4), 0, 'clock')
    limiter.allow(3)
    const large = limiter.reserve(4)
    const small = limiter.reserve(1)
    expect(large.at).toBeGreaterThanOrEqual(400)
    expect(small.at).toBeGreaterThan(large.at)
  })

  it('allows nothing before pending reservations; its level is at most 0 meanwhile', () => {
    const asked = createAsked(make(10, 4), 0, 'clock')
    const { limiter } = asked
    limiter.allow(3)
    expect(limiter.remaining()).toBe(1)
    const { at } = limiter.reserve(2)
    for (asked.now = 0; asked.now < at; asked.now += at / 7) {
      expect(limiter.allow()).toBe(false)
      expect(limiter.remaining()).toBeLessThanOrEqual(0)
    }
    asked.now = at
    expect(limiter.remaining()).toBe(name === 'fixedWindow' ? 2 : limiter.remaining(at))
    const { retryAfterMs } = limiter.peek(2)
    asked.now = at + retryAfterMs
    expect(limiter.allow(2)).toBe(true)
  })
})

const wholeBursts = fc.integer({ min: 1, max: 20 })

/** Costs with exact sums, so that refunds equal what was taken. */
const bookings = fc.array(fc.constantFrom(0, 0.25, 0.5, 1, 2, 7), { minLength: 1, maxLength: 8 })

describe.each(everyRule)('%s', (_, make) => {
  it('restores its level if all reservations are cancelled, last to first', () => {
    fc.assert(
      fc.property(rates, wholeBursts, readings, byClockOrAt, bookings, (rate, burst, startAt, by, booked) => {
        const asked = createAsked(make(rate, burst), startAt, by)
        const { limiter } = asked
        // Immediate reservations are not distinguished, in Go neither: put all of them into debt.
        limiter.allow(burst, asked.at())
        const level = limiter.remaining(asked.at())
        const reservations = booked.map((cost) => limiter.reserve(cost, asked.at()))
        for (const { cancel } of reservations.toReversed()) cancel(asked.at())
        const rounding = 1e-9 + startAt * 2 ** -48 * rate
        expect(Math.abs(limiter.remaining(asked.at()) - level)).toBeLessThanOrEqual(rounding)
      }),
      tries(100),
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

// Refunds with later reservations: these costs are reserved at 0 with a level of 0, at 10 a second.
it.each(
  bucketRules.flatMap(([name, make]) => [
    { name, make, does: 'the last', booked: [5, 3], cancels: [1], at: 0, level: -5 },
    {
      name,
      make,
      does: 'the first: 3 of its 5 are promised to the second',
      booked: [5, 3],
      cancels: [0],
      at: 0,
      level: -6,
    },
    {
      name,
      make,
      does: 'the first, all of which is promised',
      booked: [2, 3],
      cancels: [0],
      at: 0,
      level: -5,
    },
    { name, make, does: 'the last, half way', booked: [5, 3], cancels: [1], at: 400, level: -1 },
    { name, make, does: 'the first, half way', booked: [5, 3], cancels: [0], at: 400, level: -2 },
    { name, make, does: 'both, first to last', booked: [5, 3], cancels: [0, 1], at: 0, level: -3 },
    { name, make, does: 'both, last to first', booked: [5, 3], cancels: [1, 0], at: 0, level: 0 },
    { name, make, does: 'the middle one', booked: [5, 3, 1], cancels: [1], at: 0, level: -7 },
  ]),
)(
  '$name refunds what later reservations have not taken: cancels $does',
  ({ make, booked, cancels, at, level }) => {
    const { limiter } = createAsked(make(10, 10), 0, 'at')
    limiter.allow(10, 0)
    const reservations = booked.map((cost) => limiter.reserve(cost, 0))
    for (const index of cancels) reservations[index]!.cancel(at)
    expect(limiter.remaining(at)).toBeCloseTo(level, 9)
  },
)
