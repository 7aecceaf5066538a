import fc from 'fast-check'
import type { Reservation } from 'lull/core'
import { describe, expect, it } from 'vitest'
import {
  bucketRules,
  bursts,
  byClockOrAt,
  costs,
  createAsked,
  everyRule,
  gaps,
  mostBeyondEnvelope,
  mostInAlignedWindow,
  mostInWindow,
  rates,
  readings,
  windowRules,
  type Asked,
  type Pass,
} from './every-rule.ts'
import { tries } from '../../laws/tries.ts'

const script = fc.array(
  fc.record({
    gap: gaps,
    cost: costs,
    verb: fc.constantFrom('reserve' as const, 'allow' as const, 'cancel' as const),
    which: fc.nat({ max: 5 }),
  }),
  { maxLength: 40, size: 'max' },
)

/** Asks, books and cancels at random; answers what passed, and what is to act, in the order of the instants. */
function passesOf(
  asked: Asked,
  periodMs: number,
  steps: readonly { gap: number; cost: number; verb: 'reserve' | 'allow' | 'cancel'; which: number }[],
): Pass[] {
  const { limiter } = asked
  const passes: Pass[] = []
  let booked: (Pass & { reservation: Reservation })[] = []
  for (const { gap, cost, verb, which } of steps) {
    const now = (asked.now += gap * periodMs)
    if (verb === 'allow' && limiter.allow(cost, asked.at())) passes.push({ at: now, cost })
    const reservation = verb === 'reserve' ? limiter.reserve(cost, asked.at()) : undefined
    if (reservation?.ok) booked.push({ at: reservation.at, cost, reservation })
    const cancelled = verb === 'cancel' ? booked.at(-1 - which) : undefined
    cancelled?.reservation.cancel(asked.at())
    if (cancelled && now <= cancelled.at) booked = booked.filter((other) => other !== cancelled)
  }
  return [...passes, ...booked].sort((a, b) => a.at - b.at)
}

it.each(bucketRules)(
  '%s lets at most rate · L + burst pass in any time L, with what is booked',
  (_, make) => {
    fc.assert(
      fc.property(rates, bursts, readings, script, (rate, burst, startAt, steps) => {
        // Without cancels: of several, in another order, Go gives back more than was taken, and so do we.
        const passes = passesOf(
          createAsked(make(rate, burst), startAt, 'at'),
          1000 / rate,
          steps.filter(({ verb }) => verb !== 'cancel'),
        )
        const slackMs = 1e-6 + startAt * 2 ** -50
        expect(mostBeyondEnvelope(passes, rate, burst)).toBeLessThanOrEqual((slackMs * rate) / 1000 + 1e-6)
      }),
      tries(300),
    )
  },
)

it.each([
  ['fixedWindow', mostInAlignedWindow],
  ['slidingWindowLog', mostInWindow],
])('%s lets at most its limit pass in a window, with what is booked', (name, most) => {
  const make = new Map(windowRules).get(name)!
  fc.assert(
    fc.property(bursts, readings, byClockOrAt, script, (limit, startAt, by, steps) => {
      // A window of which multiples are exact, so that the test and the rule mean the same ones.
      const windowMs = 1024
      const rule = make((limit * 1000) / windowMs, limit)
      const passes = passesOf(createAsked(rule, startAt, by), windowMs / limit, steps)
      expect(most(passes, windowMs)).toBeLessThanOrEqual(limit + 1e-9)
    }),
    tries(300),
  )
})

describe.each(everyRule)('%s', (_, make) => {
  it('tells how long it is until its instant', () => {
    const asked = createAsked(make(10, 1), 500, 'clock')
    const { limiter } = asked
    const now = limiter.reserve()
    expect([now.ok, now.at, now.delay()]).toEqual([true, 500, 0])
    const later = limiter.reserve()
    expect(later.ok).toBe(true)
    expect(later.at).toBeCloseTo(600, 9)
    expect(later.delay()).toBe(later.at - 500)
    expect(later.delay(550)).toBe(later.at - 550)
    asked.now = 700
    expect(later.delay()).toBe(0)
  })
})

describe.each(windowRules)('%s, which has no debt', (name, make) => {
  it('books after all that were booked earlier, though a later one would fit before', () => {
    const { limiter } = createAsked(make(10, 4), 0, 'clock')
    limiter.allow(3)
    const large = limiter.reserve(4)
    const small = limiter.reserve(1)
    expect(large.at).toBeGreaterThanOrEqual(400)
    expect(small.at).toBeGreaterThan(large.at)
  })

  it('lets allow wait behind what is booked; its level is at most 0 meanwhile', () => {
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

  it('lets who is behind a cancelled booking go as if it had not been', () => {
    const asked = createAsked(make(10, 4), 0, 'clock')
    const { limiter } = asked
    limiter.allow(3)
    const reservation = limiter.reserve(2)
    expect(limiter.allow()).toBe(false)
    reservation.cancel()
    expect(limiter.remaining()).toBe(1)
    expect(limiter.allow()).toBe(true)
  })
})
