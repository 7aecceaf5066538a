import { exactWait } from '../core/rules/exact-wait.ts'
import type { Rule } from '../core/rules/rule.ts'

/** One limit that is asked for instants: when the next request may go, rather than whether one may. */
export interface Pace {
  /** The earliest instant, from `now` on, at which `take` may be called. */
  readyAt: (now: number) => number
  take: (now: number, cost?: number) => void
  /** What may go at `now`: fractional, below 0 in debt. */
  level: (now: number) => number
  /** Another rule from `now` on, with `level` there. */
  change: (rule: Rule, now: number, level?: number) => void
}

/** Starts full. */
export function createPace(rule: Rule, now: number): Pace {
  let cells: Float64Array

  function start(next: Rule, at: number): void {
    rule = next
    cells = new Float64Array(rule.cells)
    rule.start(cells, 0, at)
  }
  start(rule, now)

  return {
    readyAt: (at) => at + exactWait(rule, cells, 0, 1, at),
    take: (at, cost = 1) => rule.book(cells, 0, cost, at),
    level: (at) => rule.level(cells, 0, at),
    change(next, at, level = rule.level(cells, 0, at)) {
      start(next, at)
      // A cost of what is missing to what is there.
      const excess = rule.level(cells, 0, at) - level
      if (excess > 0) rule.book(cells, 0, excess, at)
    },
  }
}
