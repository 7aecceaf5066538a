import type { Rule } from 'lull/core'

/**
 * A rule as written from the `Rule` interface alone: a meter that stores usage, then the instant, in the
 * reverse order of ours. It is also correct without `costsAddUp`.
 */
export function usageMeter(ratePerSecond: number, burst: number, costsAddUp: boolean): Rule {
  const perMs = ratePerSecond / 1000

  const used: Rule['level'] = (cells, offset, at) =>
    Math.max(cells[offset]! - Math.max(at - cells[offset + 1]!, 0) * perMs, 0)

  return {
    cells: 2,
    takenAtCell: 1,
    costsAddUp,
    ratePerSecond,
    burst,
    start(cells, offset, at) {
      cells[offset] = 0
      cells[offset + 1] = at
    },
    book(cells, offset, cost, at) {
      cells[offset] = Math.max(used(cells, offset, at) + cost, 0)
      cells[offset + 1] = at
    },
    waitMs(cells, offset, cost, at) {
      if (cost > burst) return Infinity
      const excess = used(cells, offset, at) + cost - burst
      return excess > perMs * 1e-6 ? excess / perMs : 0
    },
    level: (cells, offset, at) => burst - used(cells, offset, at),
    reconfigure({ ratePerSecond: rate = ratePerSecond, burst: most = burst }, cells, at) {
      const left = Math.min(burst - used(cells, 0, at), most)
      return [usageMeter(rate, most, costsAddUp), Float64Array.of(most - left, at)]
    },
  }
}
