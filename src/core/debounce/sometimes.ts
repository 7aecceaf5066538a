import { checkNumberFrom } from '../shared/check.ts'
import { adviseOnOptions } from '../shared/develop.ts'
import { systemTimers, type Timers } from '../time/clock.ts'

export interface SometimesOptions {
  /** The number of first calls that run. @default 0 */
  first?: number | undefined
  /** Every nth call runs, from the first one on: with 3 the first, the fourth, the seventh … @default 0 (none) */
  every?: number | undefined
  /** A call runs when this time, in ms, has passed since the last run. @default 0 (none) */
  intervalMs?: number | undefined
  /** @default systemClock */
  clock?: Timers | undefined
}

/**
 * Returns a function that runs its argument only sometimes, for log lines and samples of frequent events.
 *
 * A call runs if one of the options allows it. The first call always runs; without options, only that one. The interval begins at
 * the end of a run, and again when the clock is set back. All calls are counted, including those that do not run and those from
 * inside a run. An error of a run reaches the caller and changes nothing.
 *
 * @throws TypeError for an option that is not a number, RangeError for one that is negative or NaN.
 * @see `Sometimes` of golang.org/x/time/rate
 */
export function sometimes(options: SometimesOptions = {}): (fn: () => void) => void {
  adviseOnOptions('sometimes', options)
  const { first = 0, every = 0, intervalMs = 0, clock = systemTimers } = options
  checkNumberFrom(0, 'first', first)
  checkNumberFrom(0, 'every', every)
  checkNumberFrom(0, 'intervalMs', intervalMs)
  let calls = 0
  let lastRun = 0

  return (fn) => {
    const call = calls++
    const now = clock.now()
    lastRun = Math.min(lastRun, now)
    const isDue = intervalMs > 0 && now - lastRun >= intervalMs
    // A remainder of a division by 0 is NaN.
    if (call > 0 && call >= first && call % every !== 0 && !isDue) return
    lastRun = now
    fn()
    lastRun = clock.now()
  }
}
