import { checkFrom } from '../shared/check.ts'

/**
 * The rate, in events per second, at which one comes every `intervalMs`: `every(30_000)` is two a minute.
 *
 * @param intervalMs from 0, which makes the rate Infinity, to Infinity, which makes it 0.
 * @throws RangeError for an interval below 0 or NaN.
 */
export function every(intervalMs: number): number {
  checkFrom(0, 'intervalMs', intervalMs)
  // -0 is 0.
  return Math.abs(1000 / intervalMs)
}
