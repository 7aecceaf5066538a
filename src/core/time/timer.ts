import { createForwardTime } from './forward-time.ts'
import type { Clock } from './clock.ts'

/** The longest delay that a platform timer takes: it reads a longer one as 1 ms. */
const LONGEST_MS = 2 ** 31 - 1

/** A timer that is so early by the clock proves that the clock does not move with the timers. */
const EARLY_MS = 2

/** A time that never goes back, and one timer that goes by it. */
export interface Timer {
  now: () => number
  /** How far `now` is ahead of the clock, whose timers prove that it stands still: 0 but in tests. */
  aheadMs: () => number
  /** The clock's instant for `at`, as long as the clock is not set back again. */
  toClock: (at: number) => number
  /** Sets the timer to `at`, in place of any set before; Infinity: to none. */
  set: (at: number) => void
}

/**
 * Calls `onDue` at the instant that was set, or a little before: it is to look what is due, and to set the timer again. Where a
 * test faked the timers alone, or the clock, the instant has come when the timer fires.
 */
export function createTimer(clock: Pick<Clock, 'now' | 'after'>, onDue: () => void): Timer {
  const time = createForwardTime(clock)
  let reached = -Infinity
  let dueAt = Infinity
  let stop: (() => void) | undefined

  return {
    now: () => Math.max(time.now(), reached),
    aheadMs: () => Math.max(reached - time.now(), 0),
    toClock: time.toClock,
    set(at) {
      if (at === dueAt) return
      dueAt = at
      stop?.()
      stop = undefined
      if (at === Infinity) return
      const from = time.now()
      const delayMs = at - Math.max(from, reached)
      stop = clock.after(Math.min(delayMs, LONGEST_MS), () => {
        const now = time.now()
        dueAt = Infinity
        stop = undefined
        if (delayMs <= LONGEST_MS && (now <= from || at - now >= EARLY_MS)) reached = at
        onDue()
      })
    },
  }
}
