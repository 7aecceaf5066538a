import { checkAbove, checkFrom } from './check-number.ts'
import { SLACK_MS, type Arithmetic } from './rule.ts'

/** The arithmetic of a token bucket alone, for who has a line of its own. See `tokenBucket`. */
export function tokenArithmetic(ratePerSecond: number, burst: number, initial: number): Arithmetic {
  checkFrom(0, 'ratePerSecond', ratePerSecond)
  checkAbove(0, 'burst', burst)
  checkFrom(0, 'initial', initial)
  const perMs = ratePerSecond / 1000
  const capacity = perMs === Infinity ? Infinity : burst
  // Infinite at an infinite rate, so that everything passes.
  const slack = perMs * SLACK_MS

  function level(cells: Float64Array, offset: number, at: number): number {
    if (perMs === Infinity) return burst
    const elapsedMs = at - cells[offset]!
    const tokens = cells[offset + 1]!
    return Math.min(elapsedMs > 0 ? tokens + elapsedMs * perMs : tokens, burst)
  }

  function write(cells: Float64Array, offset: number, at: number, tokens: number): void {
    cells[offset] = at
    cells[offset + 1] = tokens
  }

  return {
    cells: 2,
    capacity,
    ratePerSecond,
    burst,
    start: (cells, offset, at) => write(cells, offset, at, Math.min(initial, burst)),
    take(cells, offset, cost, at) {
      const tokens = level(cells, offset, at)
      if (cost - tokens > slack || cost > capacity) {
        if (at < cells[offset]!) cells[offset] = at
        return false
      }
      write(cells, offset, at, tokens - cost)
      return true
    },
    book: (cells, offset, cost, at) => write(cells, offset, at, level(cells, offset, at) - cost),
    waitMs(cells, offset, cost, at) {
      if (cost > capacity) return Infinity
      const missing = cost - level(cells, offset, at)
      return missing > slack ? missing / perMs : 0
    },
    level,
    isFresh: (cells, offset, at) => initial >= burst && level(cells, offset, at) >= burst,
  }
}
