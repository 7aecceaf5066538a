import type { Clock } from './clock.ts'

/** A one-shot timer set to an instant. Its methods are not bound. */
export interface Alarm {
  /** Due at the instant `at`, in place of any set before; in a fresh task if that has passed; never if Infinity. */
  set(at: number): void
  clear(): void
  isSet(): boolean
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
  return new PlatformAlarm(clock, onDue)
}

/** A class, for there may be very many: closures of its own would make each alarm four times as large. */
class PlatformAlarm implements Alarm {
  readonly #clock: Clock
  readonly #onDue: (at: number) => void
  #due: number | undefined
  #wakesAt = 0
  #earlyTimes = 0
  #cancelTimer: (() => void) | undefined

  constructor(clock: Clock, onDue: (at: number) => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  set(at: number): void {
    if (!this.#cancelTimer || at < this.#wakesAt) {
      this.clear()
      this.#arm(at, this.#clock.now())
    }
    this.#due = at
    this.#earlyTimes = 0
  }

  clear(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#due = undefined
  }

  isSet(): boolean {
    return this.#due !== undefined
  }

  #arm(at: number, now: number): void {
    const delayMs = Math.min(at - now, LONGEST_MS)
    this.#wakesAt = now + delayMs
    if (at < Infinity) this.#cancelTimer = this.#clock.after(delayMs, () => this.#wake())
  }

  #wake(): void {
    const now = this.#clock.now()
    const at = this.#due!
    this.clear()
    const earlyMs = this.#wakesAt - now
    const isBelieved = earlyMs <= 0 || (earlyMs < EARLY_MS && ++this.#earlyTimes < EARLY_TIMES)
    if (isBelieved && at > now) this.#arm((this.#due = at), now)
    else this.#onDue(isBelieved ? at : Infinity)
  }
}
