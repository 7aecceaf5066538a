import type { Timers } from './clock.ts'

/** The longest delay that a platform timer takes: it reads a longer one as 1 ms. */
const LONGEST_MS = 2 ** 31 - 1

/** A platform timer is less than this early by the clock; one that seems earlier has another clock than ours. */
const EARLY_MS = 2

/** How often a timer may be early before the clock is no longer believed. */
const EARLY_TIMES = 9

/**
 * A one-shot timer set to an instant, that is never early by `clock`, waits any length, and is cheap to push back: a later
 * instant is only noted, and the one platform timer is armed again for the rest when it fires. Bringing it forward, or
 * clearing it, costs a timer call.
 *
 * A timer that fires two milliseconds or more before its instant proves that the clock does not move with the timers (a test
 * faked one of them, or the clock was set back); its instant is then taken as come.
 *
 * A class, which others derive from, for there may be very many: with closures of its own each would be four times as large.
 * It has no private method, for which V8 would mark each instance. Its methods are not bound.
 */
export class Alarm {
  readonly clock: Timers
  #due: number | undefined
  // A double from the start: then it is overwritten in place.
  #wakesAt = -Infinity
  #earlyTimes = 0
  #cancelTimer: (() => void) | undefined

  constructor(clock: Timers) {
    this.clock = clock
  }

  /**
   * Told the instant that the alarm was set to; Infinity if the clock does not move with the timers, so that any instant
   * may have come.
   */
  onDue?(at: number): void

  /** Due at the instant `at`, in place of any set before; in a fresh task if that has passed; never if Infinity. */
  set(at: number): void {
    if (!this.#cancelTimer || at < this.#wakesAt) {
      this.clear()
      this.arm(at, this.clock.now())
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

  private arm(at: number, now: number): void {
    const delayMs = Math.min(at - now, LONGEST_MS)
    this.#wakesAt = now + delayMs
    // Bound, it takes half of what a closure takes with its context.
    if (at < Infinity) this.#cancelTimer = this.clock.after(delayMs, this.wake.bind(this))
  }

  private wake(): void {
    const now = this.clock.now()
    const at = this.#due!
    // It has fired: to cancel it would cost as much as another one.
    this.#cancelTimer = this.#due = undefined
    const earlyMs = this.#wakesAt - now
    const isBelieved = earlyMs <= 0 || (earlyMs < EARLY_MS && ++this.#earlyTimes < EARLY_TIMES)
    // A timer that is believed in place of the clock tells that its own instant has come, not that of a later one.
    const since = isBelieved ? now : this.#wakesAt
    if (at > since) this.arm((this.#due = at), since)
    else this.onDue!(isBelieved ? at : Infinity)
  }
}

/** An alarm that calls `onDue`. */
export function createAlarm(clock: Timers, onDue: (at: number) => void): Alarm {
  return Object.assign(new Alarm(clock), { onDue })
}
