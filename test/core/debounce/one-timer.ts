import { createManualClock, type ManualClock } from 'lull/testing'

/**
 * The platform's timers and `Date.now` on a manual clock, for libraries that accept no clock.
 *
 * Lodash leaves its timer running after a flush, use-debounce also when `maxWait` ends, and the next call sets a second one; together
 * they cause runs that neither would alone. Here the earlier timer is kept, so that only one exists at a time.
 */
export function createOneTimer() {
  let clock = createManualClock()
  let timers = 0
  let kept = 0
  let timer: { id: number; cancel: () => void } | undefined
  return {
    now: () => clock.now(),
    setTimeout: (callback: () => void, delayMs: number): number => {
      if (timer) {
        kept++
        return timer.id
      }
      const cancel = clock.after(delayMs, () => {
        timer = undefined
        callback()
      })
      timer = { id: ++timers, cancel }
      return timer.id
    },
    clearTimeout: (id: number): void => {
      if (timer?.id !== id) return
      timer.cancel()
      timer = undefined
    },
    /** Switches to another clock. */
    use(next: ManualClock): void {
      clock = next
      timer = undefined
      kept = 0
    },
    /** How often an earlier timer was kept since then. */
    kept: () => kept,
  }
}
