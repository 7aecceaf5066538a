import { describe, expect, it } from 'vitest'
import { bucketRules, createAsked, everyRule, holdsForAny, windowRules } from '../rules/every-rule.ts'
import fc from 'fast-check'

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

/** Costs with exact sums, so that refunds equal what was taken. */
const bookings = fc.array(fc.constantFrom(0, 0.25, 0.5, 1, 2, 7), { minLength: 1, maxLength: 8 })

describe.each(everyRule)('%s', (_, make) => {
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
