import { check } from '../../shared/check.ts'
import { adviseOnOptions } from '../../shared/develop.ts'
import { aboveZero, changed, sumOf, type Rule } from './rule.ts'

export interface WindowOptions {
  /** Maximum cost in a window, at least 0. Infinity is no limit. */
  limit: number
  /** The length of a window in ms, above 0. */
  windowMs: number
}

/** The options of `configure`. Omitted options keep their value. What was taken stays taken. */
export type WindowChanges = { [Name in keyof WindowOptions]?: number | undefined }

/**
 * Counts costs in consecutive windows, aligned to the clock's zero: with `wallClock`, a window of 60,000 ms begins on the minute.
 *
 * A cost of c is allowed while used + c ≤ limit, where used is what was taken since windowMs · ⌊t / windowMs⌋. The first instant of a
 * window belongs to it. So the limit holds in every aligned window, but around a boundary up to 2 · limit may pass in a short time.
 * For a limit in every window of that length, see `slidingWindowLog` and `slidingWindowCounter`.
 *
 * @throws RangeError for a limit below 0, a window not above 0.
 */
export function fixedWindow(options: WindowOptions): Rule<WindowChanges> {
  adviseOnOptions('fixedWindow', options)
  const { limit, windowMs } = options
  check(limit >= 0, 'limit >= 0', limit)
  check(windowMs > 0, 'windowMs > 0', windowMs)

  // Start and end of the last computed window. Most calls, of all keys, are in it.
  const edges = Float64Array.of(-Infinity, windowMs === Infinity ? Infinity : -Infinity)

  function look(at: number): void {
    let index = Math.floor(at / windowMs)
    // The quotient may be rounded over the edge.
    if (index * windowMs > at) index--
    else if ((index + 1) * windowMs <= at) index++
    edges[0] = index * windowMs
    edges[1] = (index + 1) * windowMs
  }

  function used(cells: Float64Array, offset: number, at: number): number {
    if (!(at >= edges[0]! && at < edges[1]!)) look(at)
    const last = cells[offset]!
    return last < edges[0]! && last < at ? 0 : cells[offset + 1]!
  }

  function write(cells: Float64Array, offset: number, at: number, count: number): void {
    cells[offset] = at
    cells[offset + 1] = count
  }

  return {
    cells: 2,
    takenAtCell: 0,
    costsAddUp: false,
    ratePerSecond: (limit * 1000) / windowMs,
    burst: limit,
    start: (cells, offset, at) => write(cells, offset, at, 0),
    book: (cells, offset, cost, at) => write(cells, offset, at, sumOf(used(cells, offset, at), cost)),
    waitMs(cells, offset, cost, at) {
      if (cost > limit) return Infinity
      return used(cells, offset, at) + cost > limit ? aboveZero(edges[1]! - at) : 0
    },
    level: (cells, offset, at) => limit - used(cells, offset, at),
    reconfigure: (changes, cells, at) => [
      fixedWindow(changed(options, changes)),
      Float64Array.of(at, used(cells, 0, at)),
    ],
  }
}
