import { checkFunction } from '../shared/check.ts'
import type { DebounceOptions, HeldAndTimed } from './debounce-types.ts'
import { Debouncer } from './debouncer.ts'
import { createLending, lend } from './lend-methods.ts'

const lending = createLending(['cancel', 'flush', 'isPending', 'configure', 'subscribe', Symbol.dispose])

/**
 * Holds calls of `fn` back until none has come for `wait` ms, then runs it once with the last arguments and `this`.
 *
 * Runs, arguments and answers are lodash's for every combination of `leading`, `trailing` and `maxWait`, but with
 * `maxWait` two runs are never closer than `wait`, and waits above 2^31 − 1 ms, and Infinity, are kept.
 * A call in a burst costs one reading of the clock and no timer. Nothing is retained after a run.
 *
 * @param wait in ms, from 0.
 * @throws TypeError if `fn` is not a function; RangeError for a `wait` or `maxWait` that is negative or not a number.
 * @see seed 000, "Debounce — Mathematical Model"
 */
export function debounce<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  options?: DebounceOptions,
): HeldAndTimed<This, Args, Result> {
  checkFunction('fn', fn)
  const debouncer = new Debouncer(fn, wait, options)
  function debounced(this: This, ...args: Args): Result | undefined {
    return debouncer.call(this, args)
  }
  return lend(debounced, debouncer, lending)
}
