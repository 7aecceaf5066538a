import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketRules, bursts, byClockOrAt, createAsked, everyRule, rates, readings } from './every-rule.ts'
import { tries } from '../../laws/tries.ts'

const wholeBursts = fc.integer({ min: 1, max: 20 })

/** Of which the sums are exact: what is given back is then just what was taken. */
const bookings = fc.array(fc.constantFrom(0, 0.25, 0.5, 1, 2, 7), { minLength: 1, maxLength: 8 })

describe.each(everyRule)('%s', (_, make) => {
  it('is as if nothing had been booked after all is cancelled, last to first', () => {
    fc.assert(
      fc.property(rates, wholeBursts, readings, byClockOrAt, bookings, (rate, burst, startAt, by, booked) => {
        const asked = createAsked(make(rate, burst), startAt, by)
        const { limiter } = asked
        // Bookings that are to act at once are told from no others in Go either: let all of them be in debt.
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

  it('books as before after the last booking is cancelled', () => {
    fc.assert(
      fc.property(rates, bursts, readings, byClockOrAt, bookings, (rate, burst, startAt, by, booked) => {
        const asked = createAsked(make(rate, burst), startAt, by)
        const { limiter } = asked
        for (const cost of booked) limiter.reserve(cost, asked.at())
        const reservation = limiter.reserve(1, asked.at())
        const { at } = reservation
        reservation.cancel(asked.at())
        expect(Math.abs(limiter.reserve(1, asked.at()).at - at)).toBeLessThanOrEqual(at * 1e-12)
      }),
      tries(100),
    )
  })

  it('gives back nothing when cancelled after its instant, and all of it at its instant', () => {
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

  it('gives back nothing for a booking of nothing', () => {
    const asked = createAsked(make(1, 1), 0, 'clock')
    const { limiter } = asked
    const [first, second, nothing] = [1, 1, 0, 0].map((cost) => limiter.reserve(cost))
    second!.cancel()
    const level = limiter.remaining()
    nothing!.cancel()
    expect(limiter.remaining()).toBe(level)
    expect(limiter.reserve(1).at).toBeGreaterThanOrEqual(first!.at + 1000)
  })

  it('gives back nothing when cancelled a second time, whatever was cancelled meanwhile', () => {
    const asked = createAsked(make(10, 10), 0, 'clock')
    const { limiter } = asked
    limiter.allow(10)
    const reservations = [5, 3, 1].map((cost) => limiter.reserve(cost))
    reservations[0]!.cancel()
    const level = limiter.remaining()
    reservations[0]!.cancel()
    expect(limiter.remaining()).toBe(level)
    reservations[1]!.cancel()
    reservations[2]!.cancel()
    const levelAfter = limiter.remaining()
    for (const { cancel } of reservations) cancel()
    expect(limiter.remaining()).toBe(levelAfter)
  })
})

// What later ones were promised: bookings of these costs at 0, the level before being 0, at 10 a second.
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
  '$name gives back what later bookings have not been promised: cancels $does',
  ({ make, booked, cancels, at, level }) => {
    const { limiter } = createAsked(make(10, 10), 0, 'at')
    limiter.allow(10, 0)
    const reservations = booked.map((cost) => limiter.reserve(cost, 0))
    for (const index of cancels) reservations[index]!.cancel(at)
    expect(limiter.remaining(at)).toBeCloseTo(level, 9)
  },
)
