import fc from 'fast-check'
import {
  createWaitingLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type WaitingLimiter,
  type Rule,
  type RuleChanges,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { usageMeter } from './seventh-rule.ts'

/** A rule of the given rate in the long run, which lets `burst` pass at once. */
export type MakeRule = (ratePerSecond: number, burst: number) => Rule

const windowMs = (ratePerSecond: number, limit: number): number => (limit * 1000) / ratePerSecond

/** The rules whose costs add up: the level falls below 0 when something is booked. */
export const bucketRules: [name: string, make: MakeRule][] = [
  ['tokenBucket', (ratePerSecond, burst) => tokenBucket({ ratePerSecond, burst })],
  ['gcra', (ratePerSecond, burst) => gcra({ ratePerSecond, burst })],
  ['leakyBucket', (ratePerSecond, capacity) => leakyBucket({ ratePerSecond, capacity })],
  ['a seventh rule', (ratePerSecond, burst) => usageMeter(ratePerSecond, burst, true)],
]

/** One whose level rises steadily, but which the queue serves one by one, as it does windows. */
const plainRules: [name: string, make: MakeRule][] = [
  ['a seventh rule that does not add up', (ratePerSecond, burst) => usageMeter(ratePerSecond, burst, false)],
]

/** The rules that count what passes in a window. */
export const windowRules: [name: string, make: MakeRule][] = [
  ['fixedWindow', (rate, limit) => fixedWindow({ limit, windowMs: windowMs(rate, limit) })],
  ['slidingWindowLog', (rate, limit) => slidingWindowLog({ limit, windowMs: windowMs(rate, limit) })],
  ['slidingWindowCounter', (rate, limit) => slidingWindowCounter({ limit, windowMs: windowMs(rate, limit) })],
]

export const everyRule: [name: string, make: MakeRule][] = [...bucketRules, ...plainRules, ...windowRules]

/** Events per second: periods that are no whole number of ms, very short, very long. */
export const rates: fc.Arbitrary<number> = fc.constantFrom(1 / 3, 0.7, 7, 9.99, 12345.678, 1e-6)

export const numbers = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true })

export const bursts: fc.Arbitrary<number> = fc.oneof(fc.constantFrom(1, 2, 3, 10, 2.5), numbers(1, 20))

/** Readings of a clock, whole and not, up to what `Date.now` says in 2039. */
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

/** Gaps, in multiples of 1 / rate: at the same instant, exactly one on, shorter, longer, very long. */
export const gaps: fc.Arbitrary<number> = fc.oneof(fc.constantFrom(0, 0, 1, 30), numbers(0, 1), numbers(0, 5))

/** How a limiter hears the time: from its clock, or from an `at` with each call. */
export const byClockOrAt = fc.constantFrom('clock' as const, 'at' as const)

/** Asks a limiter at instants of one's choice. */
export interface Asked<Changes = RuleChanges> {
  limiter: WaitingLimiter<Changes>
  now: number
  /** What to hand over as `at`. */
  at: () => number | undefined
}

/** A limiter that nobody waits for, and the time, which goes as one sets it: back, too. */
export function createAsked<Changes>(
  rule: Rule<Changes>,
  startAt: number,
  by: 'clock' | 'at',
): Asked<Changes> {
  const clock = { ...createManualClock(), now: () => (by === 'clock' ? asked.now : startAt) }
  const asked: Omit<Asked<Changes>, 'limiter'> = {
    now: startAt,
    at: () => (by === 'at' ? asked.now : undefined),
  }
  return Object.assign(asked, { limiter: createWaitingLimiter(rule, { clock }) })
}

/** What passed, and when. */
export interface Pass {
  at: number
  cost: number
}
