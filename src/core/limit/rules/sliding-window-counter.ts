import { check } from '../../shared/check.ts'
import { adviseOnOptions } from '../../shared/develop.ts'
import type { WindowChanges, WindowOptions } from './fixed-window.ts'
import { aboveZero, changed, sumOf, type Rule } from './rule.ts'

/** The cells after the instant of the last taking: the start of its window, and what was taken in it and in the previous one. */
const START = 1
const CURRENT = 2
const PREVIOUS = 3

/**
 * Estimates what was taken in the last `windowMs` from the counts of the current and the previous window: as cheap as a fixed one.
 *
 * estimate(t) = previous · (1 − f) + current, where f is the elapsed part of the current window. A cost of c is allowed while
 * ⌊estimate⌋ + c ≤ limit. It assumes that the previous window was filled evenly, so its error is at most previous · max(f, 1 − f),
 * in either direction. After a burst that filled a window, it allows nothing at the start of the next one, then one more for each
 * 1/limit of it. Windows begin at multiples of `windowMs`; if the clock is set back, they move back with it.
 *
 * @throws RangeError for a limit below 0, a window not above 0 or infinite.
 */
export function slidingWindowCounter(options: WindowOptions): Rule<WindowChanges> {
  adviseOnOptions('slidingWindowCounter', options)
  const { limit, windowMs } = options
  check(limit >= 0, 'limit >= 0', limit)
  check(windowMs > 0, 'windowMs > 0', windowMs)
  if (windowMs === Infinity) throw new RangeError('Expected windowMs < Infinity, got Infinity')

  /** Returns how many windows have passed since the one of the last taking. */
  function windowsOn(cells: Float64Array, offset: number, at: number): number {
    const ms = at - cells[offset + START]!
    return ms < windowMs ? 0 : Math.floor(ms / windowMs)
  }

  function estimate(cells: Float64Array, offset: number, at: number): number {
    const now = Math.max(at, cells[offset]!)
    const on = windowsOn(cells, offset, now)
    const current = cells[offset + CURRENT]!
    const gone = (now - cells[offset + START]! - on * windowMs) / windowMs
    if (on === 0) return cells[offset + PREVIOUS]! * (1 - gone) + current
    return on === 1 ? current * (1 - gone) : 0
  }

  /** Moves the cells on, or back, to the instant `at`. */
  function move(cells: Float64Array, offset: number, at: number): void {
    const backMs = cells[offset]! - at
    if (backMs > 0) cells[offset + START]! -= backMs
    cells[offset] = at
    const on = windowsOn(cells, offset, at)
    if (on === 0) return
    cells[offset + PREVIOUS] = on === 1 ? cells[offset + CURRENT]! : 0
    cells[offset + CURRENT] = 0
    cells[offset + START] = on === 1 ? cells[offset + START]! + windowMs : startOf(at, windowMs)
  }

  return {
    cells: 4,
    takenAtCell: 0,
    costsAddUp: false,
    ratePerSecond: (limit * 1000) / windowMs,
    burst: limit,
    start(cells, offset, at) {
      cells[offset] = at
      cells[offset + START] = startOf(at, windowMs)
      cells[offset + CURRENT] = cells[offset + PREVIOUS] = 0
    },
    book(cells, offset, cost, at) {
      if (at >= cells[offset]! && at - cells[offset + START]! < windowMs) cells[offset] = at
      else move(cells, offset, at)
      // What was taken in the previous window is not given back.
      cells[offset + CURRENT] = sumOf(cells[offset + CURRENT]!, cost)
    },
    // Short enough to be inlined.
    waitMs(cells, offset, cost, at) {
      const now = Math.max(at, cells[offset]!)
      let current = cells[offset + CURRENT]!
      let previous = cells[offset + PREVIOUS]!
      let ms = now - cells[offset + START]!
      if (ms >= windowMs) {
        const on = Math.floor(ms / windowMs)
        previous = on === 1 ? current : 0
        current = 0
        ms -= on * windowMs
      }
      if (Math.floor(previous * (1 - ms / windowMs) + current) + cost <= limit) return 0
      if (cost > limit) return Infinity
      // There is room when the estimate falls below this, because only its whole part counts.
      const below = Math.floor(limit - cost) + 1
      const parts = current < below ? 1 - (below - current) / previous : 2 - below / current
      return aboveZero(windowMs * parts - ms)
    },
    level: (cells, offset, at) => limit - Math.floor(estimate(cells, offset, at)),
    isFresh: (cells, offset, at) => windowsOn(cells, offset, at) > 1,
    reconfigure(changes, cells, at) {
      const next = changed(options, changes)
      const nextCells = cells.slice()
      move(nextCells, 0, at)
      // Keeps the elapsed part of the window, and with it the estimate.
      nextCells[START] = at - ((at - nextCells[START]!) / windowMs) * next.windowMs
      return [slidingWindowCounter(next), nextCells]
    },
  }
}

const startOf = (at: number, windowMs: number): number => Math.floor(at / windowMs) * windowMs
