import type { Clock } from '../time/clock.ts'
import type { AbortableTask } from '../shared/until-aborted.ts'

/** Closed: calls go. Open: none does. Half-open: one goes, as a probe, and its outcome decides. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** What a breaker says to one call. */
export interface CircuitDecision {
  readonly allowed: boolean
  /** Ms until a probe may go. 0 if the call may; Infinity: nobody can tell, since that is up to the probe that is out. */
  readonly retryAfterMs: number
}

/** The answer to a call that goes if it may. */
export interface CircuitAdmission extends CircuitDecision {
  /** What the outcome of the call is reported with, so that nobody takes it for that of a later one. */
  readonly ticket: number
}

/** A change of state; `at` and `until` are instants of the clock in ms. */
export type CircuitEvent = { readonly at: number } & (
  | { readonly type: 'opened'; readonly until: number; readonly calls: number; readonly failures: number }
  | { readonly type: 'half-opened' }
  | { readonly type: 'closed' }
)

export interface CircuitBreakerOptions {
  /** The circuit opens when so large a part of the calls has failed: above 0, up to 1. @default 0.5 */
  failureRatio?: number | undefined
  /** Fewer calls in the window say nothing. @default 10 */
  minimumCalls?: number | undefined
  /** Calls count for so many ms; those of the last tenth of it go at once. @default 10_000 */
  windowMs?: number | undefined
  /** How long the circuit stays open before a probe may go, in ms, from 0. @default 10_000 */
  openMs?: number | undefined
  /** Told of each change of state, when it is made or, if nobody subscribes, noticed. It must not throw. */
  onEvent?: ((event: CircuitEvent) => void) | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** What a breaker looks like. The same object as long as nothing changed. */
export interface CircuitSnapshot {
  readonly state: CircuitState
  /** The clock's instant from which a probe may go; undefined unless open. */
  readonly until: number | undefined
  /** Calls in the window whose outcome counts, and how many of them failed. */
  readonly calls: number
  readonly failures: number
  /** How many calls were let go, and how many were not. */
  readonly allowed: number
  readonly denied: number
}

/**
 * Refuses calls to what fails anyway. Use `run`; or ask with `allow`, and say how each call that was allowed ended with
 * `success`, `failure` or `abandon`. Where calls overlap ask with `decide`, and say it with the ticket: the outcome of a
 * call that began before the state last changed, or that was a probe which is no longer out, then counts for nothing.
 * Without a ticket it counts as that of a call of now.
 */
export interface CircuitBreaker {
  readonly state: CircuitState
  /** Whether a call may go. In half-open the first to ask is the probe, and must tell its outcome. */
  allow: () => boolean
  /** As `allow`, and tells when to try again. */
  decide: () => CircuitAdmission
  /** What `decide` would answer. Changes nothing. */
  peek: () => CircuitDecision
  /** The other side works. From the probe: closes the circuit, with nothing counted yet. */
  success: (ticket?: number) => void
  /** The other side does not. From the probe: opens the circuit again. */
  failure: (ticket?: number) => void
  /** The call says nothing, as one does that was aborted. From the probe: the next to ask is the probe. */
  abandon: (ticket?: number) => void
  /**
   * Runs `task`, in this tick, and settles as it does. It fails if it rejects; but one that `signal` has aborted (unless
   * by a `TimeoutError`), or that a limit has refused with a `RateLimitError`, says nothing.
   *
   * Rejects with a `RateLimitError` (code 'circuit-open') if the call may not go; with `signal.reason` in the tick in
   * which that aborts, whatever the task does.
   */
  run: <Result>(
    task: AbortableTask<Result>,
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<Result>
  /** Closes the circuit, with nothing counted yet. Outcomes that are told with an earlier ticket count for nothing. */
  reset: () => void
  snapshot: () => CircuitSnapshot
  /** Calls `listener` when the snapshot changed, and when a probe may go; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
  /** Keeps no timer from now on. Everything is answered as before. */
  [Symbol.dispose]: () => void
}
