import type { Rule } from './rule.ts'

/**
 * How long `cost` has to wait at `at`, such that it is allowed at the instant `at + wait` as floating point has it: the
 * rule's answer, longer by as little as the rounding of that sum asks for. 0 if it is allowed now. Should `at` be before
 * the last taking, it is told as after a try at `at`: time goes on from there.
 */
export function exactWait(
  rule: Pick<Rule, 'cells' | 'book' | 'waitMs'>,
  cells: Float64Array,
  offset: number,
  cost: number,
  at: number,
): number {
  if (at < cells[offset]!) {
    cells = cells.slice(offset, offset + rule.cells)
    offset = 0
    rule.book(cells, offset, 0, at)
  }
  let waitMs = rule.waitMs(cells, offset, cost, at)
  let step = Math.max(Math.abs(at), waitMs, 1) * 2 ** -52
  while (waitMs > 0 && waitMs < Infinity && rule.waitMs(cells, offset, cost, at + waitMs) > 0) {
    waitMs += step
    step *= 2
  }
  return waitMs
}
