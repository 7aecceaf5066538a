import { LONGEST_MS, type Timers } from './clock.ts'

export interface Alarm {
  /** Due at the instant `at`, in place of any set before; in a fresh task if that has passed; never if Infinity. */
  set: (at: number) => void
  clear: () => void
}

/** A platform timer is at most this early by the clock; one that seems earlier has another clock than ours. */
const EARLY_MS = 2

/** Whether a clock that reads `now` moves with the timers: one that was set at `from`, to `wakesAt`, has fired. */
export const isBelieved = (now: number, from: number, wakesAt: number): boolean =>
  now >= wakesAt || (now >= wakesAt - EARLY_MS && now > from)

/**
 * A one-shot timer set to an instant, that is never early by `clock`, waits any length, and is cheap to push back: a later
 * instant is only noted, and the one platform timer is armed again for the rest when it fires. Bringing it forward, or
 * clearing it, costs a timer call.
 *
 * A timer that fires more than two milliseconds before its instant, or before the clock has moved, proves that the clock does not
 * move with the timers (a test faked one of them, or the clock was set back); its instant is then taken as come.
 *
 * @param onDue receives the instant that the alarm was set to; Infinity if the clock does not move with the timers, so that any
 * instant may have come.
 */
export function createAlarm(clock: Timers, onDue: (at: number) => void): Alarm {
  let dueAt: number | undefined
  let wakesAt: number
  let cancelTimer: (() => void) | undefined

  function clear(): void {
    cancelTimer?.()
    cancelTimer = dueAt = undefined
  }

  function arm(at: number, from: number): void {
    dueAt = at
    wakesAt = from + Math.min(at - from, LONGEST_MS)
    if (at < Infinity) cancelTimer = clock.after(Math.min(at - from, LONGEST_MS), () => wake(from))
  }

  function wake(from: number): void {
    const now = clock.now()
    const at = dueAt!
    // It has fired: cancelling it would cost a timer call.
    cancelTimer = dueAt = undefined
    const isRight = isBelieved(now, from, wakesAt)
    // Where the timer counts and not the clock, its own instant has come, not a later one.
    const since = isRight ? now : wakesAt
    if (at > since) arm(at, since)
    else onDue(isRight ? at : Infinity)
  }

  return {
    set(at) {
      if (!cancelTimer || at < wakesAt || at === Infinity) {
        clear()
        arm(at, clock.now())
      }
      dueAt = at
    },
    clear,
  }
}
