import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { createChaosClock } from './chaos-clock.ts'

/** Timer grids of a hidden page in ms: at first, and after some minutes. */
export const GRIDS = [1000, 60_000] as const

/** A page that can be hidden. Fails the test if a timer is left at its end, or if a callback has thrown. */
export function createHideablePage() {
  const clock = createChaosClock(() => 0.5, 0)
  onTestFinished(() => {
    expect(clock.takeErrors()).toEqual([])
    expect(clock.pending).toBe(0)
  })
  return {
    clock,
    /** Timers fire only at multiples of `gridMs`, and no frames. */
    hide: clock.hide,
    /** Overdue timers fire as soon as time passes. */
    show: () => clock.hide(0),
    /** Advances to the instant `at`; promise continuations run after each callback. */
    reach: async (at: number) => {
      await setImmediate()
      const steps = clock.pass(at - clock.now())
      while (!steps.next().done) await setImmediate()
      await setImmediate()
    },
  }
}
