import { describe, expect, it } from 'vitest'
import { createAsked, everyRule, holdsForAny, windowRules } from '../rules/every-rule.ts'
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
