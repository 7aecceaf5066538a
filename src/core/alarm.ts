import type { Clock } from './clock.ts'

/** A one-shot timer set to an instant. */
export interface Alarm {
  /** Due at the instant `at`, in place of any set before; in a fresh task if that has passed; never if Infinity. */
  set: (at: number) => void
  clear: () => void
  isSet: () => boolean
}

/** The longest delay that a platform timer takes: it reads a longer one as 1 ms. */
const LONGEST_MS = 2 ** 31 - 1

/** A platform timer is less than this early by the clock; one that seems earlier has another clock than ours. */
const EARLY_MS = 2

/** How often a timer may be early before the clock is no longer believed. */
const EARLY_TIMES = 9

/**
 * An alarm that is never early by `clock`, waits any length, and is cheap to push back: a later instant is only
 * noted, and the one platform timer is armed again for the rest when it fires. Bringing it forward, or clearing
 * it, costs a timer call.
 *
 * A timer that fires two milliseconds or more before its instant proves that the clock does not move with the
 * timers (a test faked one of them); the alarm is then taken as due.
 *
 * @param onDue told the instant that the alarm was set to; Infinity if the clock does not move with the timers, so
 * that any instant may have come.
 */
export function createAlarm(clock: Clock, onDue: (at: number) => void): Alarm {
  let due: number | undefined
  let wakesAt: number
  let earlyTimes: number
  let cancelTimer: (() => void) | undefined

  function arm(at: number, now: number): void {
    const delayMs = Math.min(at - now, LONGEST_MS)
    wakesAt = now + delayMs
    if (at < Infinity) cancelTimer = clock.after(delayMs, wake)
  }

  function wake(): void {
    const now = clock.now()
    const at = due!
    clear()
    const earlyMs = wakesAt - now
    const isBelieved = earlyMs <= 0 || (earlyMs < EARLY_MS && ++earlyTimes < EARLY_TIMES)
    if (isBelieved && at > now) arm((due = at), now)
    else onDue(isBelieved ? at : Infinity)
  }

  function clear(): void {
    cancelTimer?.()
    cancelTimer = due = undefined
  }

  return {
    set(at) {
      if (!cancelTimer || at < wakesAt) {
        clear()
        arm(at, clock.now())
      }
      due = at
      earlyTimes = 0
    },
    clear,
    isSet: () => due !== undefined,
  }
}
