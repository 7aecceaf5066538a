import fc from 'fast-check'
import { fixedWindow, slidingWindowCounter, slidingWindowLog } from 'lull/core'
import { expect, it } from 'vitest'
import {
  bucketRules,
  bursts,
  byClockOrAt,
  costs,
  createAsked,
  gaps,
  holdsForAny,
  readings,
  type Asked,
  type Pass,
} from '../rules/every-rule.ts'
import type { Of } from '../../../laws/steps.ts'
import { tries } from '../../../laws/tries.ts'

/**
 * The largest excess over rate · L + burst in any time L; the instants are sorted. Negative if below the
 * bound.
 */
function mostBeyondEnvelope(passes: readonly Pass[], ratePerSecond: number, burst: number): number {
  let most = -Infinity
  for (const [first, { at: from }] of passes.entries()) {
    let sum = 0
    for (const { at, cost } of passes.slice(first)) {
      sum += cost
      most = Math.max(most, sum - ((at - from) * ratePerSecond) / 1000 - burst)
    }
  }
  return most
}

/** The largest sum in any window of `windowMs`, excluding its end; the instants are sorted. */
function mostInWindow(passes: readonly Pass[], windowMs: number): number {
  let most = 0
  for (const [first, { at: from }] of passes.entries()) {
    let sum = 0
    for (const { at, cost } of passes.slice(first)) if (at - from < windowMs) sum += cost
    most = Math.max(most, sum)
  }
  return most
}

/** The largest sum in any window that begins at a multiple of `windowMs`. */
function mostInAlignedWindow(passes: readonly Pass[], windowMs: number): number {
  const sums = new Map<number, number>()
  for (const { at, cost } of passes) {
    const window = Math.floor(at / windowMs)
    sums.set(window, (sums.get(window) ?? 0) + cost)
  }
  return Math.max(0, ...sums.values())
}

const scripts = fc.array(fc.record({ gap: gaps, cost: costs, decides: fc.boolean() }), {
  maxLength: 60,
  size: 'max',
})

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
    const beyond = mostBeyondEnvelope(passesOf(asked, 1000 / rate, script), rate, burst)
    expect(beyond).toBeLessThanOrEqual((SLACK_MS * rate) / 1000 + 1e-9)
  })
})

// Windows whose multiples and sums are exact, so that the test and the rule agree on their bounds.
const windowSizes = fc.constantFrom(1, 7, 250, 1000, 60_000, 2 ** 31)
const windows = fc.record({ limit: bursts, windowMs: windowSizes })

it.each([
  ['fixedWindow', 'each window that begins at a multiple of its length', fixedWindow, mostInAlignedWindow],
  ['slidingWindowLog', 'any window', slidingWindowLog, mostInWindow],
] as const)('%s lets at most its limit pass in %s', (_name, _windows, rule, mostIn) => {
  fc.assert(
    fc.property(windows, readings, byClockOrAt, scripts, ({ limit, windowMs }, startAt, by, script) => {
      const asked = createAsked(rule({ limit, windowMs }), startAt, by)
      expect(mostIn(passesOf(asked, windowMs / limit, script), windowMs)).toBeLessThanOrEqual(limit + 1e-9)
    }),
    tries(300),
  )
})

/** The sums in the window of `at` so far, in the previous one, and in the last `windowMs`. */
function counts(passes: readonly Pass[], windowMs: number, at: number) {
  const start = Math.floor(at / windowMs) * windowMs
  const sum = (isIn: (at: number) => boolean): number =>
    passes.reduce((total, pass) => (isIn(pass.at) ? total + pass.cost : total), 0)
  return {
    current: sum((t) => t >= start),
    previous: sum((t) => t < start && t >= start - windowMs),
    last: sum((t) => at - t < windowMs),
  }
}

it('slidingWindowCounter allows while floor(estimate) + cost ≤ limit, off by at most prev · max(f, 1 − f)', () => {
  fc.assert(
    fc.property(windows, readings, byClockOrAt, scripts, ({ limit, windowMs }, startAt, by, script) => {
      const asked = createAsked(slidingWindowCounter({ limit, windowMs }), startAt, by)
      const passes: Pass[] = []
      for (const { gap, cost } of script) {
        asked.now += (gap * windowMs) / limit
        const { current, previous, last } = counts(passes, windowMs, asked.now)
        const gone = (asked.now % windowMs) / windowMs
        const estimate = previous * (1 - gone) + current
        expect(Math.abs(estimate - last)).toBeLessThanOrEqual(previous * Math.max(gone, 1 - gone) + 1e-6)
        const isAllowed = asked.limiter.allow(cost, asked.at())
        // Rounding may move an almost whole estimate to either side.
        if (isAllowed) expect(Math.floor(estimate - 1e-6) + cost).toBeLessThanOrEqual(limit + 1e-6)
        else expect(Math.floor(estimate + 1e-6) + cost).toBeGreaterThan(limit - 1e-6)
        if (isAllowed) passes.push({ at: asked.now, cost })
      }
    }),
    tries(300),
  )
})
