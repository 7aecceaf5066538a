/** What can be changed of a limit: what is absent, or undefined, stays. Which of them a rule has, its options say. */
export interface RuleChanges {
  ratePerSecond?: number | undefined
  burst?: number | undefined
  capacity?: number | undefined
  limit?: number | undefined
  windowMs?: number | undefined
}

/**
 * An algorithm: arithmetic on a few numbers, given the instant. It knows no clock, no timer and no key. The numbers of one
 * limit are `cells` float64 in an array, from an offset on, so that one limit and a million keys run the same code and
 * no decision allocates. The first of them is the instant of the last taking.
 *
 * Whoever reads with an instant before that of the last taking reads the level of the last taking: a clock that steps
 * back gives nothing. Only a taking, or a try at one, moves the limit to such an instant, and time goes on from there.
 */
export interface Rule<Changes = RuleChanges> {
  /** Float64 per limit. */
  readonly cells: number
  /** Whether it can owe: what is booked is then taken at once, and the level falls below 0. */
  readonly hasDebt: boolean
  /** The greatest cost that is ever allowed. */
  readonly capacity: number
  /** What the limit comes to in the long run, in events per second. */
  readonly ratePerSecond: number
  /** The most at once. */
  readonly burst: number
  /** Makes the cells those of a limit begun at `at`. */
  readonly start: (cells: Float64Array, offset: number, at: number) => void
  /** Takes `cost` if that is allowed. A refusal takes nothing. */
  readonly take: (cells: Float64Array, offset: number, cost: number, at: number) => boolean
  /** Takes `cost` without asking; gives back one below 0. */
  readonly book: (cells: Float64Array, offset: number, cost: number, at: number) => void
  /** 0 if `cost` is allowed; else about how long it is not, in ms: exact but for rounding. Infinity: for ever. */
  readonly waitMs: (cells: Float64Array, offset: number, cost: number, at: number) => number
  /** What could be taken: fractional, negative while in debt. */
  readonly level: (cells: Float64Array, offset: number, at: number) => number
  /** Whether nobody could tell the limit from one begun at `at`. */
  readonly isFresh: (cells: Float64Array, offset: number, at: number) => boolean
  /** The rule with other limits, and the cells of one limit (at offset 0) carried over to it. */
  readonly reconfigure: (
    changes: Changes,
    cells: Float64Array,
    at: number,
  ) => [rule: Rule<Changes>, cells: Float64Array]
}

/** An instant is met that is less than this before: what adding up 1 / rate a thousand times is off by. */
export const SLACK_MS = 1e-6

/** A refusal never says 0, however near the instant is. */
export const aboveZero = (waitMs: number): number => Math.max(waitMs, Number.MIN_VALUE)

/** `changes` over `options`, without what is undefined. */
export function changed<Options extends object>(
  options: Options,
  changes: { [Name in keyof Options]?: Options[Name] | undefined },
): Options {
  const next = { ...options }
  for (const name in changes) {
    const value = changes[name]
    if (value !== undefined) next[name] = value
  }
  return next
}
