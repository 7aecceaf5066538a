import fc from 'fast-check'
import { createLimiter, every } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { bucketRules, costs, everyRule, gaps, holdsForAny, numbers } from '../rules/every-rule.ts'
import { recordsOf } from '../../../laws/steps.ts'
import { forAll } from '../../../laws/tries.ts'

const asks = recordsOf(40, {
  gap: gaps,
  cost: costs,
  verb: fc.constantFrom('peek' as const, 'decide' as const),
})

/** How far the clock is set back, in multiples of 1 / rate. */
const setBacks = fc.oneof(fc.constantFrom(1, 1e-3, 1000), numbers(0, 50))

describe.each(everyRule)('%s', (name, make) => {
  it('never returns 0 for a refusal; waiting exactly as long suffices, and less does not', () => {
    holdsForAny(make, 300, asks, (asked, script, { rate, burst }) => {
      const { limiter } = asked
      const wrong: unknown[] = []
      for (const { gap, cost, verb } of script) {
        asked.now += (gap * 1000) / rate
        const { allowed, retryAfterMs } = limiter[verb](cost, asked.at())
        if (allowed !== (retryAfterMs === 0) || !(retryAfterMs >= 0)) wrong.push({ allowed, retryAfterMs })
        if ((retryAfterMs === Infinity) !== cost > burst) wrong.push({ cost, retryAfterMs })
        if (allowed || retryAfterMs === Infinity) continue
        const refusedAt = asked.now
        // The slack of the rules plus the rounding of such instants.
        const beforeMs = 1e-5 + (refusedAt + retryAfterMs) * 2 ** -50
        asked.now = refusedAt + Math.max(retryAfterMs - beforeMs, 0)
        if (retryAfterMs > beforeMs && limiter.peek(cost, asked.at()).allowed) wrong.push('needed less')
        asked.now = refusedAt + retryAfterMs
        if (!limiter.decide(cost, asked.at()).allowed) wrong.push('needed more')
      }
      expect(wrong).toEqual([])
    })
  })

  it('peeks what it then decides, after which the rest remains', () => {
    holdsForAny(make, 300, asks, (asked, script, { rate }) => {
      const { limiter } = asked
      for (const { gap, cost } of script) {
        asked.now += (gap * 1000) / rate
        const { allowed, retryAfterMs } = limiter.peek(cost, asked.at())
        const decision = limiter.decide(cost, asked.at())
        const remaining = Math.max(Math.floor(limiter.remaining(asked.at()) + 1e-9), 0)
        expect(decision).toEqual({ allowed, retryAfterMs, remaining })
      }
    })
  })

  it('keeps its level when the clock steps back, and gains nothing', () => {
    holdsForAny(make, 200, fc.tuple(numbers(0, 1), setBacks), (asked, [part, step], { rate, burst }) => {
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
    holdsForAny(make, 200, fc.tuple(setBacks, verbs), (asked, [step, verb], { rate, burst, startAt }) => {
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

it.each(bucketRules)('%s, once drained, admits exactly one at each of 1,000 steps of 1 / rate', (_, make) => {
  const startAts = fc.oneof(fc.constantFrom(0, 0.1, 2 ** 20 - 1), numbers(0, 2 ** 20))
  for (const rate of [1 / 3, 0.7, 7, 9.99, 12345.678, every(3), every(7), 1000, 3000])
    forAll(10, startAts, fc.constantFrom(1, 3, 10), (startAt, burst) => {
      const clock = createManualClock(startAt)
      const limiter = createLimiter(make(rate, burst), { clock })
      expect(limiter.allow(burst)).toBe(true)
      const passed: number[] = []
      for (let step = 0; step < 1000; step++) {
        clock.advance(1000 / rate)
        passed.push([limiter.allow(), limiter.allow()].filter(Boolean).length)
      }
      expect(new Set(passed), `at ${rate}`).toEqual(new Set([1]))
    })
})
