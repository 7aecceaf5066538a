import { LONGEST_MS, type Timers } from './clock.ts'

export interface Alarm {
  /** Replaces the instant at which the alarm is due. One in the past is due in a new task; Infinity is never due. */
  set: (at: number) => void
  clear: () => void
}

/** A platform timer fires at most this much before its instant. One that seems earlier has a different clock. */
const EARLY_MS = 2

/** Whether a clock that reads `now` moves with the timers, after the timer set at `from` for `wakesAt` has fired. */
export const isBelieved = (now: number, from: number, wakesAt: number): boolean =>
  now >= wakesAt || (now >= wakesAt - EARLY_MS && now > from)

/**
 * A one-shot timer set to an instant. It is never early by `clock` and can be set to any distance. Pushing it back is cheap: the
 * later instant is stored, and the platform timer is set again for the rest when it fires. Bringing it forward costs a timer call.
 *
 * A timer that fires more than two milliseconds before its instant, or before the clock has moved, shows that the clock does not
 * move with the timers (a test faked one of them, or the clock was set back). The alarm is then due.
 */
export function createAlarm(clock: Timers, onDue: () => void): Alarm {
  let dueAt: number
  let wakesAt: number
  let cancelTimer: (() => void) | undefined

  function clear(): void {
    cancelTimer?.()
    cancelTimer = undefined
  }

  function arm(from: number): void {
    // Node warns of a negative delay.
    const delayMs = Math.max(Math.min(dueAt - from, LONGEST_MS), 0)
    wakesAt = from + delayMs
    if (dueAt < Infinity) cancelTimer = clock.after(delayMs, () => wake(from))
  }

  function wake(from: number): void {
    const now = clock.now()
    // The timer has fired: cancelling it would cost a call.
    cancelTimer = undefined
    // If the clock is wrong, the timer's own instant has come, and no later one: two instants close together are one.
    const since = isBelieved(now, from, wakesAt) ? now : wakesAt + EARLY_MS
    if (dueAt > since) arm(since)
    else onDue()
  }

  return {
    set(at) {
      dueAt = at
      if (!cancelTimer || at < wakesAt || at === Infinity) {
        clear()
        arm(clock.now())
      }
    },
    clear,
  }
}
