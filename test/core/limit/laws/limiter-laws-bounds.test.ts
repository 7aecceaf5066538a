import fc from 'fast-check'
import { slidingWindowCounter } from 'lull/core'
import { expect, it } from 'vitest'
import {
  bucketRules,
  bursts,
  byClockOrAt,
  costs,
  createAsked,
  exactWindows,
  gaps,
  holdsForAny,
  readings,
  type Asked,
  type Pass,
} from '../rules/every-rule.ts'
import { recordsOf, type Of } from '../../../laws/steps.ts'
import { forAll } from '../../../laws/tries.ts'

/** The sum of the admitted costs whose instants are in a window. */
const sumOf = (passes: readonly Pass[], isIn: (at: number) => boolean): number =>
  passes.reduce((sum, { at, cost }) => (isIn(at) ? sum + cost : sum), 0)

const scripts = recordsOf(60, { gap: gaps, cost: costs, decides: fc.boolean() })

/** Tolerance for instants: rules allow a cost up to this early. */
const SLACK_MS = 1e-6

/** Requests each cost `gap · periodMs` after the previous one; returns the admitted ones. */
function passesOf(asked: Asked, periodMs: number, script: Of<typeof scripts>[]): Pass[] {
  const passes: Pass[] = []
  for (const { gap, cost, decides } of script) {
    asked.now += gap * periodMs
    const isAllowed = decides
      ? asked.limiter.decide(cost, asked.at()).allowed
      : asked.limiter.allow(cost, asked.at())
    if (isAllowed) passes.push({ at: asked.now, cost })
  }
  return passes
}

it.each(bucketRules)('%s admits at most rate · L + burst in any time L', (_, make) => {
  holdsForAny(make, 300, scripts, (asked, script, { rate, burst }) => {
    let used = 0
    let last = 0
    for (const { at, cost } of passesOf(asked, 1000 / rate, script)) {
      used = Math.max(used - ((at - last) * rate) / 1000, 0) + cost
      last = at
      expect(used).toBeLessThanOrEqual(burst + (SLACK_MS * rate) / 1000 + 1e-9)
    }
  })
})

// Windows whose multiples and sums are exact, so that the test and the rule agree on their bounds.
const windowSizes = fc.constantFrom(1, 7, 250, 1000, 60_000, 2 ** 31)
const windows = fc.record({ limit: bursts, windowMs: windowSizes })

it.each(exactWindows)('%s lets at most its limit pass in any of its windows', (_, rule, isOne) => {
  forAll(300, windows, readings, byClockOrAt, scripts, ({ limit, windowMs }, startAt, by, script) => {
    const passes = passesOf(createAsked(rule({ limit, windowMs }), startAt, by), windowMs / limit, script)
    for (const { at: from } of passes)
      expect(sumOf(passes, (at) => isOne(at, from, windowMs))).toBeLessThanOrEqual(limit + 1e-9)
  })
})

it('slidingWindowCounter allows while floor(estimate) + cost ≤ limit, off by at most prev · max(f, 1 − f)', () => {
  forAll(300, windows, readings, byClockOrAt, scripts, ({ limit, windowMs }, startAt, by, script) => {
    const asked = createAsked(slidingWindowCounter({ limit, windowMs }), startAt, by)
    const passes: Pass[] = []
    for (const { gap, cost } of script) {
      asked.now += (gap * windowMs) / limit
      const start = Math.floor(asked.now / windowMs) * windowMs
      const gone = (asked.now % windowMs) / windowMs
      const current = sumOf(passes, (at) => at >= start)
      const previous = sumOf(passes, (at) => at < start && at >= start - windowMs)
      const last = sumOf(passes, (at) => asked.now - at < windowMs)
      const counted = limit - asked.limiter.remaining(asked.at())
      // Only whole costs count: below 1 more.
      expect(Math.abs(counted - last)).toBeLessThan(previous * Math.max(gone, 1 - gone) + 1 + 1e-6)
      const estimate = previous * (1 - gone) + current
      const isAllowed = asked.limiter.allow(cost, asked.at())
      // Rounding may move an almost whole estimate to either side.
      if (isAllowed) expect(Math.floor(estimate - 1e-6) + cost).toBeLessThanOrEqual(limit + 1e-6)
      else expect(Math.floor(estimate + 1e-6) + cost).toBeGreaterThan(limit - 1e-6)
      if (isAllowed) passes.push({ at: asked.now, cost })
    }
  })
})
