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
 * no decision allocates.
 *
 * Reading at an instant before that of the last taking reads the level of the last taking: a clock that steps back gives
 * nothing. Only a taking, or a try at one, moves the limit to such an instant, and time goes on from there.
 */
export interface Rule<Changes = RuleChanges> {
  /** Float64 per limit. */
  readonly cells: number
  /** Which of them holds the instant of the last taking, or of a try since at an earlier one. */
  readonly takenAtCell: number
  /**
   * Whether costs add up: to book them one by one, at whatever instants, is to book their sum. The level then falls below 0
   * by what is booked and rises by `ratePerSecond`. A limiter books reservations of such a rule at once, and knows in O(1) when
   * a queue of them has passed; it serves any other rule one entry at a time.
   */
  readonly costsAddUp: boolean
  /** The limit in the long run, in events per second. */
  readonly ratePerSecond: number
  /** The most at once. */
  readonly burst: number
  /** Makes the cells those of a limit begun at `at`. */
  readonly start: (cells: Float64Array, offset: number, at: number) => void
  /** Takes `cost` unasked. One below 0 gives back what was taken last, and no more than was taken. */
  readonly book: (cells: Float64Array, offset: number, cost: number, at: number) => void
  /**
   * 0 if `cost` is allowed; else about how long it is not, in ms: exact but for rounding. Infinity: for ever. Before the
   * instant of the last taking, how long it is not after a try at `at`.
   */
  readonly waitMs: (cells: Float64Array, offset: number, cost: number, at: number) => number
  /** What could be taken: fractional, negative while in debt. */
  readonly level: (cells: Float64Array, offset: number, at: number) => number
  /** Whether the limit is as one begun at `at`. Absent where that is so whenever its level is the same. */
  readonly isFresh?: (cells: Float64Array, offset: number, at: number) => boolean
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

/**
 * How long `cost` has to wait at `at`, such that it is allowed at the instant `at + wait` as floating point has it: the
 * rule's answer, longer by as little as the rounding of that sum asks for. 0 if it is allowed now.
 */
export function exactWait(
  rule: Pick<Rule, 'takenAtCell' | 'waitMs'>,
  cells: Float64Array,
  offset: number,
  cost: number,
  at: number,
): number {
  let waitMs = rule.waitMs(cells, offset, cost, at)
  // Before the last taking time stands still: only a try moves it.
  for (
    let stepMs = 1e-18;
    waitMs < Infinity &&
    at >= cells[offset + rule.takenAtCell]! &&
    rule.waitMs(cells, offset, cost, at + waitMs) > 0;
    stepMs *= 2
  )
    waitMs += stepMs
  return waitMs
}
