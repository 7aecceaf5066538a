import type { Clock } from '../time/clock.ts'
import type { RuleChanges } from './rules/rule.ts'

/** What a limit says to one request. */
export interface Decision {
  allowed: boolean
  /** Ms after which the same cost is allowed, if nobody else takes before. 0 if it is now; Infinity: never. */
  retryAfterMs: number
  /** How much is left: whole, at least 0. */
  remaining: number
}

/** A booking: what it cost is taken, to be used at its instant. */
export interface Reservation {
  /** Whether it could be booked. If not, nothing was taken: the limit never allows that cost. */
  readonly ok: boolean
  /** The instant at which to act. Infinity if not `ok`. */
  readonly at: number
  /** How long after `at` (default: now) to act, in ms: 0 if at once, Infinity if not `ok`. */
  delay: (at?: number) => number
  /** Up to its instant, gives back what later reservations have not been promised; then, or a second time, nothing. */
  cancel: (at?: number) => void
}

export interface WaitOptions {
  /** Aborting it ends the wait at once; the promise rejects with its reason. */
  signal?: AbortSignal | undefined
  /** The longest wait, in ms, from 0. Where it would be longer the promise rejects at once. @default Infinity */
  timeoutMs?: number | undefined
}

/** A refusal. What is asked with `peek` is none. */
export interface DeniedEvent {
  type: 'denied'
  cost: number
  /** The instant at which it was asked, by the clock. */
  at: number
}

export interface LimiterOptions {
  /** What tells the time. @default systemClock */
  clock?: Clock | undefined
  /** Told of each refusal, while it is made: it must not throw. To log a few of them, see `sampled`. */
  onEvent?: ((event: DeniedEvent) => void) | undefined
}

/** What a limit looks like. The same object as long as nothing changed but the level. */
export interface LimiterSnapshot {
  /** Events per second in the long run. */
  readonly ratePerSecond: number
  /** The most at once. */
  readonly burst: number
  /** As `remaining()` at the time of reading. */
  readonly level: number
  /** How many were allowed, booked and waited for, however much they cost. */
  readonly allowed: number
  readonly denied: number
  /** How many stand in line. */
  readonly waiting: number
  readonly isBypassed: boolean
  /**
   * How many waits were how long, counted while someone subscribes (else undefined): below 1 ms, below 2, below 4 and so
   * on; the last counts all that are longer.
   */
  readonly waits: readonly number[] | undefined
}

/**
 * One limit. Every `cost` is a number from 0 (default 1), every `at` an instant of the clock (default: now), for who has read
 * the clock already. A clock that steps back gives nothing, and time goes on from there.
 */
export interface Limiter<Changes = RuleChanges> {
  /** What tells it the time. */
  readonly clock: Clock
  /** Whether `cost` is allowed; takes it if so. Overtakes nobody who waits. */
  allow: (cost?: number, at?: number) => boolean
  /** As `allow`, and tells when to try again. */
  decide: (cost?: number, at?: number) => Decision
  /** What `decide` would answer. Takes nothing. */
  peek: (cost?: number, at?: number) => Decision
  /** The level: fractional, negative while in debt to reservations and those who wait. */
  remaining: (at?: number) => number
  /** Other limits from `at` on. Who waits is given a new turn. */
  configure: (changes: Changes, at?: number) => void
  /** While on, everything is allowed and nothing is taken, and who waits goes: for emergencies. */
  bypass: (isOn: boolean) => void
  snapshot: () => LimiterSnapshot
  /** Calls `listener` when the snapshot changed; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
}

/** A limit whose callers may also book ahead and wait. */
export interface WaitingLimiter<Changes = RuleChanges> extends Limiter<Changes> {
  /** Books `cost` after all that came earlier, and tells when to act. */
  reserve: (cost?: number, at?: number) => Reservation
  /**
   * Resolves when `cost` is allowed, first come, first served. O(1) each, but for windows with `timeoutMs`.
   *
   * Rejects with a `RateLimitError` at once, and takes nothing, if that would be never or beyond `timeoutMs`, or if a
   * `configure` makes it so (code 'wait-too-long'), or when disposed of (code 'disposed'); with `signal.reason` in the
   * tick in which that aborts, and those behind move up.
   */
  wait: (cost?: number, options?: WaitOptions) => Promise<void>
  /** Rejects all waits, now and from now on. What needs no wait is decided as before. */
  [Symbol.dispose]: () => void
}
