import { check } from '../shared/check.ts'

/**
 * Returns the rate of one event every `intervalMs`, in events per second: `every(30_000)` is two a minute.
 *
 * @param intervalMs at least 0. For 0 the rate is Infinity, for Infinity it is 0.
 * @throws RangeError for an interval below 0 or NaN.
 */
export function every(intervalMs: number): number {
  check(intervalMs >= 0, 'intervalMs >= 0', intervalMs)
  // -0 is 0.
  return Math.abs(1000 / intervalMs)
}
