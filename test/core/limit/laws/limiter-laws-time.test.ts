import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bursts, byClockOrAt, createAsked, everyRule, numbers, rates, readings } from '../rules/every-rule.ts'
import { tries } from '../../../laws/tries.ts'

/** How far the clock is set back, in multiples of 1 / rate. */
const steps = fc.oneof(fc.constantFrom(1, 1e-3, 1000), numbers(0, 50))

describe.each(everyRule)('%s', (name, make) => {
  it('keeps its level when the clock steps back, and gains nothing', () => {
    const parts = numbers(0, 1)
    fc.assert(
      fc.property(
        rates,
        bursts,
        readings,
        byClockOrAt,
        parts,
        steps,
        (rate, burst, startAt, by, part, step) => {
          const asked = createAsked(make(rate, burst), startAt, by)
          const { limiter } = asked
          const levels: number[] = []
          const note = (): unknown => levels.push(limiter.remaining(asked.at()))
          limiter.allow(burst * part, asked.at())
          note()
          asked.now -= (step * 1000) / rate
          note()
          const isMoreAllowed = limiter.allow(levels[0]! + 1e-3, asked.at())
          note()
          expect(isMoreAllowed).toBe(false)
          expect(levels).toEqual([levels[0], levels[0], levels[0]])
          expect(limiter.allow(Math.max(levels[0]! - 1e-3, 0), asked.at())).toBe(true)
        },
      ),
      tries(200),
    )
  })

  it('does not freeze: a wait after a step back is not longer than before, and suffices', () => {
    const verbs = fc.constantFrom('decide' as const, 'reserve' as const)
    fc.assert(
      fc.property(
        rates,
        bursts,
        readings,
        byClockOrAt,
        steps,
        verbs,
        (rate, burst, startAt, by, step, verb) => {
          const asked = createAsked(make(rate, burst), startAt, by)
          const { limiter } = asked
          limiter.allow(Math.floor(burst), asked.at())
          const before = limiter.peek(1, asked.at()).retryAfterMs
          // Its windows do not move back with the clock: a whole one may lie ahead.
          const mostMs = name === 'fixedWindow' ? (burst * 1000) / rate : before
          asked.now -= (step * 1000) / rate
          const roundingMs = (startAt + mostMs + Math.abs(asked.now)) * 2 ** -50
          const peekMs = limiter.peek(1, asked.at()).retryAfterMs
          const waitMs =
            verb === 'decide'
              ? limiter.decide(1, asked.at()).retryAfterMs
              : limiter.reserve(1, asked.at()).delay(asked.now)
          expect(waitMs).toBeLessThanOrEqual(mostMs * (1 + 1e-9) + roundingMs)
          expect(Math.abs(waitMs - peekMs)).toBeLessThanOrEqual(roundingMs)
          asked.now += waitMs
          if (verb === 'decide' && waitMs > 0) expect(limiter.allow(1, asked.at())).toBe(true)
        },
      ),
      tries(200),
    )
  })

  it('admits its burst, and no more, after a long idle time', () => {
    fc.assert(
      fc.property(
        rates,
        bursts,
        readings,
        byClockOrAt,
        numbers(2.5, 1e6),
        (rate, burst, startAt, by, idle) => {
          const asked = createAsked(make(rate, burst), startAt, by)
          asked.limiter.allow(burst, asked.at())
          asked.now += (idle * burst * 1000) / rate
          expect(asked.limiter.remaining(asked.at())).toBe(burst)
          expect(asked.limiter.allow(burst, asked.at())).toBe(true)
          expect(asked.limiter.allow(1, asked.at())).toBe(false)
        },
      ),
      tries(200),
    )
  })
})
