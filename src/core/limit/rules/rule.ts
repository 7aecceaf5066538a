/** The options of `configure`. Omitted options keep their value. Each rule has some of these. */
export interface RuleChanges {
  ratePerSecond?: number | undefined
  burst?: number | undefined
  capacity?: number | undefined
  limit?: number | undefined
  windowMs?: number | undefined
}

/**
 * An algorithm: arithmetic on a few numbers and the instant. It knows no clock, no timer and no key. The state of one limit is
 * `cells` float64 in an array, from an offset on, so that one limit and a million keys run the same code and no decision allocates.
 *
 * At an instant before the last taking, the level is that of the last taking: a clock that steps back refills nothing. Only `book`
 * moves the limit to such an instant; time goes on from there.
 */
export interface Rule<Changes = RuleChanges> {
  /** Number of float64 per limit. */
  readonly cells: number
  /** The index of the cell with the instant of the last taking, or of a later try at an earlier instant. */
  readonly takenAtCell: number
  /**
   * Whether costs add up: bookings lower the level below 0, and from there it rises by `ratePerSecond`, so that booking costs one by
   * one, at any instants, equals booking their sum. A rule with two rates has no such level. With a rule whose costs add up a limiter
   * books reservations at once, and computes in O(1) when a queue will have passed. With other rules it works through the queue.
   */
  readonly costsAddUp: boolean
  /** The limit in the long run, in events per second. */
  readonly ratePerSecond: number
  /** Maximum cost at once. */
  readonly burst: number
  /** Sets the cells to those of a limit that begins at `at`. */
  readonly start: (cells: Float64Array, offset: number, at: number) => void
  /** Takes `cost` without a check. A negative cost gives back, from the last taken, at most what was taken. */
  readonly book: (cells: Float64Array, offset: number, cost: number, at: number) => void
  /**
   * Returns 0 if `cost` is allowed, else the ms until it is, exact but for rounding. Infinity: never. Before the instant of the last
   * taking, returns the ms that would hold after a `book` at `at`.
   */
  readonly waitMs: (cells: Float64Array, offset: number, cost: number, at: number) => number
  /** Returns what could be taken: fractional, negative while in debt. */
  readonly level: (cells: Float64Array, offset: number, at: number) => number
  /**
   * Returns whether the limit equals one that begins at `at`, or later: a keyed limiter forgets such a key. Absent if a full level
   * shows that; with two limits in one it does not.
   */
  readonly isFresh?: (cells: Float64Array, offset: number, at: number) => boolean
  /** Returns the rule with other limits, and the cells of one limit (at offset 0) converted to it. */
  readonly reconfigure: (
    changes: Changes,
    cells: Float64Array,
    at: number,
  ) => [rule: Rule<Changes>, cells: Float64Array]
}

/** Tolerance for instants: a sum of a thousand times 1 / rate has an error of this size. */
export const SLACK_MS = 1e-6

/** Adds a cost; the sum is at least 0. It stays finite, so that an infinite limit minus it is Infinity, not NaN. */
export const sumOf = (taken: number, cost: number): number => Math.max(Math.min(taken + cost, 1e300), 0)

/** Makes a wait positive: a refusal never returns 0, however near the instant is. */
export const aboveZero = (waitMs: number): number => Math.max(waitMs, Number.MIN_VALUE)

/** Returns `options` with `changes`, except undefined ones. */
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
 * Returns the wait of `cost` at `at`, such that `cost` is allowed at the floating-point sum `at + wait`: the rule's `waitMs`, plus
 * the little that the rounding of that sum needs. 0 if it is allowed now.
 */
export function exactWait(
  rule: Pick<Rule, 'takenAtCell' | 'waitMs'>,
  cells: Float64Array,
  offset: number,
  cost: number,
  at: number,
): number {
  let waitMs = rule.waitMs(cells, offset, cost, at)
  // Before the instant of the last taking there is nothing to correct: time stands still there.
  for (
    let stepMs = 1e-18;
    waitMs < Infinity &&
    at >= cells[offset + rule.takenAtCell]! &&
    rule.waitMs(cells, offset, cost, at + waitMs) > 0;
  )
    waitMs += stepMs *= 2
  return waitMs
}
