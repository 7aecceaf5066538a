import { throwIfAborted, untilAborted, type AbortableTask } from '../shared/abort.ts'
import { check, checkPart, checkType } from '../shared/check.ts'
import { RateLimitError } from '../shared/errors.ts'
import { safely } from '../shared/report.ts'
import { createStore, type Observable } from '../shared/store.ts'
import { createAlarm } from '../time/alarm.ts'
import { systemTimers, type Timers } from '../time/clock.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { outcomeOf, type CallOutcome } from './call-outcome.ts'

/** Closed allows all calls, open none. Half-open allows one call, the probe, whose outcome decides. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** A breaker's decision on one call. */
export interface CircuitDecision {
  readonly allowed: boolean
  /** Ms until a probe is allowed; 0 if the call is allowed. Infinity while a probe is in flight: the time is unknown. */
  readonly retryAfterMs: number
}

/** The decision on a call that starts if allowed. */
export interface CircuitAdmission extends CircuitDecision {
  /** Identifies the call when its outcome is reported. */
  readonly ticket: number
}

/** A change of state; `at` and `until` are instants of the clock in ms. */
export type CircuitEvent = { readonly at: number } & (
  | { readonly type: 'opened'; readonly until: number; readonly calls: number; readonly failures: number }
  | { readonly type: 'half-opened' }
  | { readonly type: 'closed' }
)

export interface CircuitBreakerOptions {
  /** The part of failed calls that opens the circuit: above 0, at most 1. @default 0.5 */
  failureRatio?: number | undefined
  /** Minimum number of calls in the window to open the circuit. At least 1. @default 10 */
  minimumCalls?: number | undefined
  /** Length of the rolling window, in ms, above 0. It moves on in tenths. @default 10_000 */
  windowMs?: number | undefined
  /** Time from opening until a probe is allowed, in ms. At least 0. @default 10_000 */
  openMs?: number | undefined
  /** Receives each change of state. Without a subscriber, 'half-opened' comes with the next call. Its errors are reported. */
  onEvent?: ((event: CircuitEvent) => void) | undefined
  /** @default systemClock */
  clock?: Timers | undefined
}

/** The state of a breaker. The same object while nothing has changed. */
export interface CircuitSnapshot {
  readonly state: CircuitState
  /** The clock's instant from which a probe is allowed; undefined unless open. */
  readonly until: number | undefined
  /** Calls in the window that succeeded or failed, and how many of them failed. */
  readonly calls: number
  readonly failures: number
  /** Numbers of calls allowed and refused so far. */
  readonly allowed: number
  readonly denied: number
}

/**
 * Use `run`. Or call `allow`, and report the end of each allowed call with `success`, `failure` or `abandon`. Where calls
 * overlap, call `decide` and report with its ticket: outcomes from before the last change of state, or of an abandoned
 * probe, are then ignored. An outcome without a ticket is taken as that of a call made now.
 */
export interface CircuitBreaker extends Observable<CircuitSnapshot> {
  readonly state: CircuitState
  /** Whether a call may start. In half-open the first allowed call is the probe and must report its outcome. */
  allow: () => boolean
  /** Like `allow`, but also returns when to try again and a ticket. */
  decide: () => CircuitAdmission
  /** Returns what `decide` would, and changes nothing. */
  peek: () => CircuitDecision
  /** Reports a success. That of the probe closes the circuit, with empty counts. */
  success: (ticket?: number) => void
  /** Reports a failure. That of the probe opens the circuit again. */
  failure: (ticket?: number) => void
  /** Reports a call that shows nothing, such as an aborted one. If it was the probe, the next call becomes the probe. */
  abandon: (ticket?: number) => void
  /**
   * Runs `task` in this tick and settles as it does. A rejection is a failure, unless `signal` aborted the task (other than
   * by a `TimeoutError`) or it is a `RateLimitError`: those show nothing.
   *
   * Rejects with a `RateLimitError` (code 'circuit-open') if the call is refused, and with `signal.reason` in the tick in
   * which the signal aborts, whatever the task does.
   */
  run: {
    <Result>(task: AbortableTask<Result, AbortSignal>, options: { signal: AbortSignal }): Promise<Result>
    <Result>(task: AbortableTask<Result>, options?: { signal?: AbortSignal | undefined }): Promise<Result>
  }
  /** Closes the circuit, with empty counts. Outcomes with an earlier ticket are ignored. */
  reset: () => void
  /** Calls `listener` when the snapshot has changed and when a probe is allowed. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
  /** Sets no timer from now on. All else works as before. */
  [Symbol.dispose]: () => void
}

/** Parts of the window. A call is forgotten with its part, at an age between 0.9 and 1 `windowMs`. */
const TENTHS = 10

/**
 * Refuses calls for a while when too many have failed.
 *
 * Opens when `failureRatio` of at least `minimumCalls` calls in the rolling window have failed. After `openMs` it allows one
 * probe: a success closes the circuit, a failure opens it for `openMs` again. O(1) per call. Sets a timer only while the
 * circuit is open and has a subscriber.
 *
 * @throws RangeError for an option that is out of range; TypeError for an `onEvent` that is not a function.
 * @see https://learn.microsoft.com/azure/architecture/patterns/circuit-breaker
 */
export function createCircuitBreaker({
  failureRatio = 0.5,
  minimumCalls = 10,
  windowMs = 10_000,
  openMs = 10_000,
  onEvent,
  clock = systemTimers,
}: CircuitBreakerOptions = {}): CircuitBreaker {
  if (onEvent !== undefined) checkType('function', 'onEvent', onEvent)
  checkPart('failureRatio', failureRatio)
  check(minimumCalls >= 1, 'minimumCalls >= 1', minimumCalls)
  check(windowMs > 0, 'windowMs > 0', windowMs)
  check(openMs >= 0, 'openMs >= 0', openMs)
  const time = createForwardTime(clock)
  const alarm = createAlarm(clock, () => change('half-open'))
  const start = time.now()
  // The counts of each tenth of the window, the newest last.
  let parts: { tenth: number; calls: number; failures: number }[] = []
  // Stays 'open' when a probe is allowed: `stateAt` compares `until` with the clock.
  let state: CircuitState = 'closed'
  let until: number
  let isProbing = false
  // Incremented with each change of state and each probe.
  let ticket = 0
  let allowed = 0
  let denied = 0
  let isDisposed = false

  const { snapshot, subscribe, notify, listeners } = createStore<CircuitSnapshot>(() => {
    const now = time.now()
    const state = stateAt(now)
    return {
      state,
      until: state === 'open' ? time.toClock(until) : undefined,
      ...countsAt(now),
      allowed,
      denied,
    }
  })

  const tenthOf = (now: number): number => Math.floor(((now - start) * TENTHS) / windowMs)

  /** The counts of the window that ends `now`. */
  function countsAt(now: number): Pick<CircuitSnapshot, 'calls' | 'failures'> {
    const gone = tenthOf(now) - TENTHS
    while (parts[0] && parts[0].tenth <= gone) parts.shift()
    let calls = 0
    let failures = 0
    for (const part of parts) {
      calls += part.calls
      failures += part.failures
    }
    return { calls, failures }
  }

  function countCall(isFailure: boolean, now: number): void {
    const tenth = tenthOf(now)
    if (parts.at(-1)?.tenth !== tenth) parts.push({ tenth, calls: 0, failures: 0 })
    const newest = parts.at(-1)!
    newest.calls++
    if (isFailure) newest.failures++
  }

  const stateAt = (now: number): CircuitState => (state === 'open' && now >= until ? 'half-open' : state)

  function watch(): void {
    if (state === 'open' && listeners.size > 0 && !isDisposed) alarm.set(time.toClock(until))
    else alarm.clear()
  }

  function change(to: CircuitState, probes = false): void {
    const before = state
    const now = time.now()
    const at = clock.now()
    const counted = countsAt(now)
    state = to
    isProbing = probes
    ticket++
    if (to === 'open') until = now + openMs
    if (to === 'closed') parts = []
    if (to !== before) {
      watch()
      // A listener may call in turn.
      const event: CircuitEvent =
        to === 'open'
          ? { type: 'opened', at, until: time.toClock(until), ...counted }
          : { type: to === 'closed' ? 'closed' : 'half-opened', at }
      safely(() => onEvent?.(event))
    }
    notify()
  }

  function end(outcome: CallOutcome, its = ticket): void {
    if (its !== ticket) return
    if (isProbing) change(outcome === 'success' ? 'closed' : outcome === 'failure' ? 'open' : 'half-open')
    else if (state === 'closed' && outcome !== 'neutral') {
      const now = time.now()
      countCall(outcome === 'failure', now)
      const { calls, failures } = countsAt(now)
      if (calls >= minimumCalls && failures / calls >= failureRatio) change('open')
      else notify()
    }
  }

  function peek(): CircuitDecision {
    const retryAfterMs = state === 'open' ? Math.max(until - time.now(), 0) : isProbing ? Infinity : 0
    return { allowed: retryAfterMs === 0, retryAfterMs }
  }

  function decide(): CircuitAdmission {
    const decision = peek()
    if (decision.allowed) allowed++
    else denied++
    // Computed before the listeners run: they may call the breaker.
    const own = ticket + Number(decision.allowed && state !== 'closed')
    if (own > ticket) change('half-open', true)
    else notify()
    return { ...decision, ticket: own }
  }

  return {
    get state() {
      return stateAt(time.now())
    },
    allow: () => decide().allowed,
    decide,
    peek,
    success: (ticket) => end('success', ticket),
    failure: (ticket) => end('failure', ticket),
    abandon: (ticket) => end('neutral', ticket),
    async run(task, { signal } = {}) {
      checkType('function', 'task', task)
      throwIfAborted(signal)
      const { allowed, retryAfterMs, ticket } = decide()
      if (!allowed) throw new RateLimitError('circuit-open', 'Call refused: circuit-open', retryAfterMs)
      const running = untilAborted((async () => task(signal as never))(), signal)
      running.then(
        () => end('success', ticket),
        (error: unknown) => end(outcomeOf(error, signal), ticket),
      )
      return running
    },
    reset: () => change('closed'),
    snapshot,
    subscribe(listener) {
      const unsubscribe = subscribe(listener)
      watch()
      return () => {
        unsubscribe()
        watch()
      }
    },
    [Symbol.dispose]() {
      isDisposed = true
      watch()
    },
  }
}
