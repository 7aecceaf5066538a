import { createManualClock, type ManualClock } from 'lull/testing'

/**
 * The platform's timers and `Date.now` on a manual clock, for libraries that accept no clock.
 *
 * Lodash leaves its timer running after a flush, use-debounce also when `maxWait` ends, and the next call sets a second one; together
 * they cause runs that neither would alone. Here the earlier timer is kept, so that only one exists at a time.
 */
export function createOneTimer() {
  let clock = createManualClock()
  let kept = 0
  let cancel: (() => void) | undefined
  return {
    now: () => clock.now(),
    /** Returns the id of the one timer. */
    setTimeout: (callback: () => void, delayMs: number): number => {
      if (cancel) kept++
      cancel ??= clock.after(delayMs, () => {
        cancel = undefined
        callback()
      })
      return 1
    },
    clearTimeout: (): void => {
      cancel?.()
      cancel = undefined
    },
    /** Switches to another clock. */
    use(next: ManualClock): void {
      clock = next
      cancel = undefined
      kept = 0
    },
    /** How often an earlier timer was kept since then. */
    kept: () => kept,
  }
}
