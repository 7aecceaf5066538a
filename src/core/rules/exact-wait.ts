import type { Arithmetic } from './rule.ts'

/**
 * How long `cost` has to wait at `at`, such that it is allowed at the instant `at + wait` as floating point has it: the
 * rule's answer, longer by as little as the rounding of that sum asks for. 0 if it is allowed now.
 */
export function exactWait(
  rule: Pick<Arithmetic, 'waitMs'>,
  cells: Float64Array,
  offset: number,
  cost: number,
  at: number,
): number {
  let waitMs = rule.waitMs(cells, offset, cost, at)
  let step = Math.max(Math.abs(at), waitMs) * 2 ** -52
  while (waitMs > 0 && waitMs < Infinity && rule.waitMs(cells, offset, cost, at + waitMs) > 0) {
    waitMs += step
    step *= 2
  }
  return waitMs
}
