import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everyRule, holdsForAny, numbers } from '../rules/every-rule.ts'

/** How far the clock is set back, in multiples of 1 / rate. */
const steps = fc.oneof(fc.constantFrom(1, 1e-3, 1000), numbers(0, 50))

describe.each(everyRule)('%s', (name, make) => {
  it('keeps its level when the clock steps back, and gains nothing', () => {
    holdsForAny(make, 200, fc.tuple(numbers(0, 1), steps), (asked, [part, step], { rate, burst }) => {
      const { limiter } = asked
      limiter.allow(burst * part, asked.at())
      const level = limiter.remaining(asked.at())
      asked.now -= (step * 1000) / rate
      expect(limiter.remaining(asked.at())).toBe(level)
      expect(limiter.allow(level + 1e-3, asked.at())).toBe(false)
      expect(limiter.remaining(asked.at())).toBe(level)
      expect(limiter.allow(Math.max(level - 1e-3, 0), asked.at())).toBe(true)
    })
  })

  it('does not freeze: a wait after a step back is not longer than before, and suffices', () => {
    const verbs = fc.constantFrom('decide' as const, 'reserve' as const)
    holdsForAny(make, 200, fc.tuple(steps, verbs), (asked, [step, verb], { rate, burst, startAt }) => {
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
    })
  })

  it('admits its burst, and no more, after a long idle time', () => {
    holdsForAny(make, 200, numbers(2.5, 1e6), (asked, idle, { rate, burst }) => {
      asked.limiter.allow(burst, asked.at())
      asked.now += (idle * burst * 1000) / rate
      expect(asked.limiter.remaining(asked.at())).toBe(burst)
      expect(asked.limiter.allow(burst, asked.at())).toBe(true)
      expect(asked.limiter.allow(1, asked.at())).toBe(false)
    })
  })
})
