import type { CallOptions, Priority } from 'lull/fetch'
import { A, watch, type Outcome, type Started } from './start.ts'

/** Calls, in this order, to the path that says how they were made. */
export function callWith(
  { f, clock }: Started,
  calls: readonly (readonly [string, Priority?, Priority?])[],
): Outcome[] {
  return calls.map(([path, ofInit, own]) => {
    const rateLimit: CallOptions = { priority: own }
    return watch(f(A + path, { ...(ofInit && { priority: ofInit }), rateLimit }), clock)
  })
}
