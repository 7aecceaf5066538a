import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { createChaosClock, type ChaosClock } from './chaos-clock.ts'

/** The grids on which a browser calls timers back in a hidden page: at first, and after some minutes. */
export const GRIDS = [1000, 60_000] as const

/** A page that may be hidden, by its clock. */
export interface HideablePage {
  clock: ChaosClock
  /** Timers come at multiples of `gridMs` alone, and frames do not come. */
  hide: (gridMs: number) => void
  /** What has been due meanwhile comes at once, when time passes. */
  show: () => void
  /** Time passes until the instant `at`; promises go on after each callback. */
  reach: (at: number) => Promise<void>
  /** The same, without promises. */
  reachNow: (at: number) => void
}

/** The test fails if it ends with a callback that waits, or if one has thrown. */
export function createHideablePage(): HideablePage {
  // Neither early nor late is any timer, by this random number.
  const clock = createChaosClock(() => 0.5, 0)
  onTestFinished(() => {
    expect(clock.takeErrors()).toEqual([])
    expect(clock.pending).toBe(0)
  })
  return {
    clock,
    hide: clock.hide,
    show: () => clock.hide(0),
    async reach(at) {
      await setImmediate()
      const steps = clock.pass(at - clock.now())
      while (!steps.next().done) await setImmediate()
      await setImmediate()
    },
    reachNow(at) {
      const steps = clock.pass(at - clock.now())
      while (!steps.next().done);
    },
  }
}
