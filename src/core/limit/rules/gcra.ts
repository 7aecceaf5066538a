import { check } from '../../shared/check.ts'
import { adviseOnOptions } from '../../shared/develop.ts'
import { changed, SLACK_MS, type Rule } from './rule.ts'

export interface GcraOptions {
  /** Events per second in the long run, from 0 (never) to Infinity (no limit). */
  ratePerSecond: number
  /** Maximum number of events at once, at least 0. */
  burst: number
}

/** The options of `configure`. Omitted options keep their value. */
export type GcraChanges = { [Name in keyof GcraOptions]?: number | undefined }

/** The period of a rate of 0: a power of two, so that its small multiples are exact. Waits above `FOR_EVER_MS` are infinite. */
const NEVER_MS = 2 ** 900
const FOR_EVER_MS = 2 ** 100

/**
 * The generic cell rate algorithm. Its state is one number, the theoretical arrival time (TAT) of the next event if all events came
 * evenly. Decides as a token bucket of the same rate and burst, but for rounding.
 *
 * With a period of T = 1000 / ratePerSecond ms, a cost of c is allowed while max(TAT, t) + c · T ≤ t + burst · T. So a single event
 * is allowed from TAT − (burst − 1) · T on, inclusive. Then TAT = max(TAT, t) + c · T. The cells hold how far TAT is ahead of the last
 * taking, so that precision does not depend on the instant. In any time L (in seconds) at most ratePerSecond · L + burst is allowed. A
 * reservation moves TAT at once. Source: ITU-T I.371.
 *
 * @throws RangeError for a rate or a burst below 0.
 */
export function gcra(options: GcraOptions): Rule<GcraChanges> {
  adviseOnOptions('gcra', options)
  const { ratePerSecond, burst } = options
  check(ratePerSecond >= 0, 'ratePerSecond >= 0', ratePerSecond)
  check(burst >= 0, 'burst >= 0', burst)
  // `abs` for a rate of -0. An infinite burst is no limit.
  const periodMs = burst < Infinity ? Math.min(Math.abs(1000 / ratePerSecond), NEVER_MS) : 0
  const toleranceMs = burst * periodMs

  /** Returns how far TAT is ahead. */
  const aheadMs: Rule['level'] = (cells, offset, at) =>
    Math.max(cells[offset + 1]! - Math.max(at - cells[offset]!, 0), 0)

  function write(cells: Float64Array, offset: number, at: number, ahead: number): void {
    cells[offset] = at
    cells[offset + 1] = ahead
  }

  const level: Rule['level'] = (cells, offset, at) =>
    periodMs === 0 ? burst : burst - aheadMs(cells, offset, at) / periodMs

  return {
    cells: 2,
    takenAtCell: 0,
    costsAddUp: true,
    ratePerSecond,
    burst,
    start: (cells, offset, at) => write(cells, offset, at, 0),
    // Infinite costs may give NaN, which becomes 0.
    book: (cells, offset, cost, at) =>
      write(cells, offset, at, Math.max(aheadMs(cells, offset, at) + cost * periodMs || 0, 0)),
    waitMs(cells, offset, cost, at) {
      if (cost > burst && periodMs > 0) return Infinity
      const waitMs = aheadMs(cells, offset, at) + cost * periodMs - toleranceMs
      return waitMs > FOR_EVER_MS ? Infinity : waitMs > SLACK_MS ? waitMs : 0
    },
    level,
    reconfigure(changes, cells, at) {
      const next = gcra(changed(options, changes))
      const nextCells = new Float64Array(next.cells)
      next.book(nextCells, 0, next.burst - level(cells, 0, at), at)
      return [next, nextCells]
    },
  }
}
