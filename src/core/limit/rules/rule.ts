/** The options that a limit can change. Omitted options keep their value. Each rule has some of them. */
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
 * Reading at an instant before that of the last taking reads the level of the last taking: a clock that steps back gives nothing.
 * Only `book` moves the limit to such an instant, and time goes on from there.
 */
export interface Rule<Changes = RuleChanges> {
  /** Float64 per limit. */
  readonly cells: number
  /** Which of them holds the instant of the last taking, or of a try since at an earlier one. */
  readonly takenAtCell: number
  /**
   * Whether costs add up: booking them one by one, at any instants, equals booking their sum. The level then falls below 0 by what
   * is booked, and rises by `ratePerSecond`. A limiter books reservations of such a rule at once, and knows in O(1) when a queue of
   * them has passed; with any other rule it works through the queue.
   */
  readonly costsAddUp: boolean
  /** The limit in the long run, in events per second. */
  readonly ratePerSecond: number
  /** The most at once. */
  readonly burst: number
  /** Makes the cells those of a limit begun at `at`. */
  readonly start: (cells: Float64Array, offset: number, at: number) => void
  /** Takes `cost` without a check. A cost below 0 gives back what was taken last, at most as much as was taken. */
  readonly book: (cells: Float64Array, offset: number, cost: number, at: number) => void
  /**
   * 0 if `cost` is allowed; else the ms until it is, exact but for rounding. Infinity: never. Before the instant of the last
   * taking, the ms as of a `book` at `at`.
   */
  readonly waitMs: (cells: Float64Array, offset: number, cost: number, at: number) => number
  /** What could be taken: fractional, negative while in debt. */
  readonly level: (cells: Float64Array, offset: number, at: number) => number
  /** Whether the limit is like one begun at `at`. Absent if an equal level means that. */
  readonly isFresh?: (cells: Float64Array, offset: number, at: number) => boolean
  /** The rule with other limits, and the cells of one limit (at offset 0) carried over to it. */
  readonly reconfigure: (
    changes: Changes,
    cells: Float64Array,
    at: number,
  ) => [rule: Rule<Changes>, cells: Float64Array]
}

/** An instant that is earlier by less than this counts as reached: a sum of a thousand times 1 / rate is off by as much. */
export const SLACK_MS = 1e-6

/** The sum of two costs, from 0. It stays finite, so that what is left of an infinite limit is Infinity, not NaN. */
export const sumOf = (taken: number, cost: number): number => Math.max(Math.min(taken + cost, 1e300), 0)

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
 * How long `cost` has to wait at `at`, such that it is allowed at the instant `at + wait` as floating point has it: the rule's
 * `waitMs`, made longer by as little as the rounding of that sum needs. 0 if it is allowed now.
 */
export function exactWait(
  rule: Pick<Rule, 'takenAtCell' | 'waitMs'>,
  cells: Float64Array,
  offset: number,
  cost: number,
  at: number,
): number {
  let waitMs = rule.waitMs(cells, offset, cost, at)
  // Before the instant of the last taking, time stands still.
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
