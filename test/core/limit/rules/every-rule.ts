import fc from 'fast-check'
import * as core from 'lull/core'
import { createManualClock } from 'lull/testing'
import { forAll } from '../../../laws/tries.ts'
import { usageMeter } from './seventh-rule.ts'

/**
 * A rule that admits `burst` at once, then only `ratePerSecond`. A rule with two limits gets a row for each, in
 * which the other one is wider.
 */
export type MakeRule = (ratePerSecond: number, burst: number, windowMs?: number) => core.Rule

const windowed =
  (rule: typeof core.fixedWindow): MakeRule =>
  (ratePerSecond, limit, windowMs = (limit * 1000) / ratePerSecond) =>
    rule({ limit, windowMs })

/** The rules whose costs add up: their level falls below 0 by reservations. */
export const bucketRules: [name: string, make: MakeRule][] = [
  ['tokenBucket', (ratePerSecond, burst) => core.tokenBucket({ ratePerSecond, burst })],
  ['gcra', (ratePerSecond, burst) => core.gcra({ ratePerSecond, burst })],
  ['leakyBucket', (ratePerSecond, capacity) => core.leakyBucket({ ratePerSecond, capacity })],
  ['a seventh rule', (ratePerSecond, burst) => usageMeter(ratePerSecond, burst, true)],
]

/** The other rules that begin full, without windows. The queue serves what waits one by one, as with windows. */
const plainRules: [name: string, make: MakeRule][] = [
  ['a seventh rule that does not add up', (ratePerSecond, burst) => usageMeter(ratePerSecond, burst, false)],
]

/** The rules that count what is admitted in a window. */
export const windowRules: [name: string, make: MakeRule][] = [
  ['fixedWindow', windowed(core.fixedWindow)],
  ['slidingWindowLog', windowed(core.slidingWindowLog)],
  ['slidingWindowCounter', windowed(core.slidingWindowCounter)],
]

/** For the rules that count what is admitted in exact windows: whether two instants, the later first, are in one. */
export const exactWindows = [
  ['slidingWindowLog', core.slidingWindowLog, (later, at, windowMs) => later >= at && later - at < windowMs],
  [
    'fixedWindow',
    core.fixedWindow,
    (later, at, windowMs) => Math.floor(later / windowMs) === Math.floor(at / windowMs),
  ],
] as [
  name: string,
  make: typeof core.fixedWindow,
  isOne: (later: number, at: number, windowMs: number) => boolean,
][]

export const everyRule: [name: string, make: MakeRule][] = [...bucketRules, ...plainRules, ...windowRules]

/** The rules of the package: the seventh of the tests checks no options. */
export const ownRules = everyRule.filter(([name]) => !name.startsWith('a seventh'))

/** The rules of the package at 10 a second, or per 100 ms, that admit `most` at once. */
export const rulesThatAdmit = (most: number): [name: string, rule: core.Rule<never>][] =>
  ownRules.map(([name, make]) => [name, make(10, most, 100)])

/** Events per second, with fractional, very short and very long periods. */
export const rates: fc.Arbitrary<number> = fc.constantFrom(1 / 3, 0.7, 7, 9.99, 12345.678, 1e-6)

export const numbers = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true })

export const bursts: fc.Arbitrary<number> = fc.oneof(fc.constantFrom(1, 2, 3, 10, 2.5), numbers(1, 20))

/** Clock readings, whole and fractional, up to `Date.now()` in 2039. */
export const readings: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 2 ** 41),
  fc.nat({ max: 2 ** 20 }),
  numbers(0, 2 ** 41),
)

export const costs: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.constantFrom(0, 0.1, 0.5, 2) },
  { weight: 2, arbitrary: numbers(0, 8) },
)

/** Gaps in multiples of 1 / rate: none, exactly one, shorter, longer, very long. */
export const gaps: fc.Arbitrary<number> = fc.oneof(fc.constantFrom(0, 0, 1, 30), numbers(0, 1), numbers(0, 5))

/** How a limiter gets the time: from its clock, or from `at` with each call. */
export const byClockOrAt = fc.constantFrom('clock' as const, 'at' as const)

/** A limiter to call at chosen instants. */
export interface Asked<Changes = core.RuleChanges> {
  limiter: core.WaitingLimiter<Changes>
  now: number
  /** The value to pass as `at`. */
  at: () => number | undefined
}

/** A limiter, and a settable time, which may also go back; for tests without waits. */
export function createAsked<Changes>(
  rule: core.Rule<Changes>,
  startAt: number,
  by: 'clock' | 'at',
): Asked<Changes> {
  const clock = { ...createManualClock(), now: () => (by === 'clock' ? asked.now : startAt) }
  const asked: Omit<Asked<Changes>, 'limiter'> = {
    now: startAt,
    at: () => (by === 'at' ? asked.now : undefined),
  }
  return Object.assign(asked, { limiter: core.createWaitingLimiter(rule, { clock }) })
}

/** Checks that `law` holds for a limiter by `make`, from any instant on, with any limits and any value of `more`. */
export function holdsForAny<More>(
  make: MakeRule,
  runs: number,
  more: fc.Arbitrary<More>,
  law: (asked: Asked, more: More, limits: Record<'rate' | 'burst' | 'startAt', number>) => void,
  anyBurst = bursts,
): void {
  const limits = fc.record({ rate: rates, burst: anyBurst, startAt: readings })
  forAll(runs, limits, byClockOrAt, more, (limits, by, more) =>
    law(createAsked(make(limits.rate, limits.burst), limits.startAt, by), more, limits),
  )
}

/** An admitted cost and its instant. */
export interface Pass {
  at: number
  cost: number
}

/** Wraps `limiter` to count its listeners. */
export function countListeners<Changes>(limiter: core.WaitingLimiter<Changes>) {
  let listening = 0
  const subscribe = (listener: () => void) => {
    listening++
    const stop = limiter.subscribe(listener)
    return () => {
      listening--
      stop()
    }
  }
  return { limiter: { ...limiter, subscribe }, listening: () => listening }
}
