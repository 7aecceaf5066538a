import type { CallOutcome } from './call-outcome.ts'
import type { Clock } from '../time/clock.ts'
import type { AbortableTask } from '../shared/until-aborted.ts'

/** A limit that follows what the calls show. `gradientLimit` makes one. It serves one limiter. */
export interface AdaptiveLimit {
  /** How many calls may be in flight now, from 1. Changes only when a call ends. */
  readonly current: number
  /**
   * A call starts at the instant `now` (in ms, never before an earlier one), the `inFlight`-th of those in flight. The
   * function returned is called once when it ends.
   */
  started: (inFlight: number, now: number) => (outcome: CallOutcome, now: number) => void
}

/** What can be changed of a concurrency limiter: what is absent, or undefined, stays. */
export interface ConcurrencyChanges {
  /** How many calls may be in flight: a number from 1 to Infinity, or one that adapts. */
  limit?: number | AdaptiveLimit | undefined
  /** How many may wait. Those who wait already stay. @default Infinity */
  maxQueue?: number | undefined
}

export interface ConcurrencyLimiterOptions extends ConcurrencyChanges {
  limit: number | AdaptiveLimit
  /** @default systemClock */
  clock?: Clock | undefined
}

export interface AcquireOptions {
  /** Aborting it ends the wait at once; the promise rejects with its reason. */
  signal?: AbortSignal | undefined
  /** The longest wait, in ms, from 0. @default Infinity */
  timeoutMs?: number | undefined
}

/** Gives a place back, once: a second time it does nothing. `outcome` is for limits that adapt. @default 'success' */
export type Release = (outcome?: CallOutcome) => void

/** What a concurrency limiter looks like. The same object as long as nothing changed. */
export interface ConcurrencySnapshot {
  readonly limit: number
  readonly inFlight: number
  readonly waiting: number
  /** How many were given a place. */
  readonly allowed: number
  /** How many were refused one, or waited in vain; who was aborted is not counted. */
  readonly denied: number
}

/** Limits how many calls are in flight at a time. First come, first served. */
export interface ConcurrencyLimiter {
  /** A place, if there is one and nobody waits for it. Who takes it must release it. */
  tryAcquire: () => Release | undefined
  /**
   * Resolves with a place, to be released, when it has one.
   *
   * Rejects with a `RateLimitError`: at once if `maxQueue` wait already (code 'queue-full') or the limiter is disposed of
   * ('disposed'), after `timeoutMs` ('wait-too-long'). Rejects with `signal.reason` in the tick in which that aborts. An
   * abort, or a time that runs out, costs O(log n) with n who wait.
   */
  acquire: (options?: AcquireOptions) => Promise<Release>
  /**
   * Runs `task` when it has a place, in this tick if there is one, and settles as it does. Rejects as `acquire` does
   * while it waits, and with `signal.reason` in the tick in which that aborts later on; the place is taken until the
   * task, which is given the signal, has settled.
   */
  run: <Result>(task: AbortableTask<Result>, options?: AcquireOptions) => Promise<Result>
  /** Other limits from now on. With a lower one, what is in flight goes on. @throws as the creation does. */
  configure: (changes: ConcurrencyChanges) => void
  snapshot: () => ConcurrencySnapshot
  /** Calls `listener` when the snapshot changed; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
  /** Rejects who waits, and `acquire` and `run` from now on. What is in flight goes on; `tryAcquire` answers as before. */
  [Symbol.dispose]: () => void
}
