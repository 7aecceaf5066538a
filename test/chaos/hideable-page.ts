import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { createChaosClock, type ChaosClock } from './chaos-clock.ts'

/** Timer grids of a hidden page in ms: at first, and after some minutes. */
export const GRIDS = [1000, 60_000] as const

/** A simulated page that can be hidden. */
export interface HideablePage {
  clock: ChaosClock
  /** Timers fire only at multiples of `gridMs`, and no frames. */
  hide: (gridMs: number) => void
  /** Overdue timers fire as soon as time passes. */
  show: () => void
  /** Advances to the instant `at`; promise continuations run after each callback. */
  reach: (at: number) => Promise<void>
  /** The same, synchronously: promise continuations do not run. */
  reachNow: (at: number) => void
}

/** Fails the test if a timer is left at its end, or if a callback has thrown. */
export function createHideablePage(): HideablePage {
  // With this random number every timer is on time.
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
