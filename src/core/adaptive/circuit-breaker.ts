import { throwIfAborted } from '../shared/abort.ts'
import { createAlarm } from '../time/alarm.ts'
import { outcomeOf, type CallOutcome } from './call-outcome.ts'
import type {
  CircuitAdmission,
  CircuitBreaker,
  CircuitBreakerOptions,
  CircuitSnapshot,
} from './circuit-breaker-types.ts'
import { createCircuit } from './circuit.ts'
import { systemClock } from '../time/clock.ts'
import { RateLimitError } from '../shared/errors.ts'
import { createForwardTime } from '../time/forward-time.ts'
import { checkAbove, checkFrom, checkUpTo } from '../limit/rules/check-number.ts'
import { untilAborted } from '../shared/until-aborted.ts'
import { createWatchers } from '../shared/watchers.ts'

/**
 * Refuses calls for a while when too many have failed, so that what is failing is left in peace and nobody waits for it.
 *
 * Opens at the outcome by which, of at least `minimumCalls` in the rolling window, `failureRatio` or more have failed. After
 * `openMs` one probe may go: if it succeeds the circuit is closed, if it fails open for as long again. That time is up is
 * read from the clock; there is a timer only while the circuit is open and someone subscribes.
 *
 * @throws RangeError for an option that is out of range.
 * @see seed 001, "Circuit-breaker integration"
 */
export function createCircuitBreaker({
  failureRatio = 0.5,
  minimumCalls = 10,
  windowMs = 10_000,
  openMs = 10_000,
  onEvent,
  clock = systemClock,
}: CircuitBreakerOptions = {}): CircuitBreaker {
  checkAbove(0, 'failureRatio', failureRatio)
  checkUpTo(1, 'failureRatio', failureRatio)
  checkFrom(1, 'minimumCalls', minimumCalls)
  checkAbove(0, 'windowMs', windowMs)
  checkFrom(0, 'openMs', openMs)
  const time = createForwardTime(clock)
  const circuit = createCircuit({ failureRatio, minimumCalls, windowMs, openMs }, time.now())
  const watchers = createWatchers()
  const alarm = createAlarm(clock, () => act(circuit.halfOpen))
  let allowed = 0
  let denied = 0
  let isDisposed = false
  let last: CircuitSnapshot | undefined
  let lastKey: string

  function watch(): void {
    const isWatched = watchers.isWatched() && !isDisposed
    if (circuit.state === 'open' && isWatched) alarm.set(time.toClock(circuit.until))
    else alarm.clear()
  }

  /** Does `step` and tells of it; who is told may call in turn. */
  function act(step: () => void): void {
    const before = circuit.state
    step()
    const { state, until } = circuit
    if (state !== before) {
      watch()
      const at = clock.now()
      if (state === 'open')
        onEvent?.({ type: 'opened', at, until: time.toClock(until), ...circuit.counts(time.now()) })
      else onEvent?.({ type: state === 'closed' ? 'closed' : 'half-opened', at })
    }
    watchers.notify()
  }

  function end(outcome: CallOutcome, ticket = circuit.ticket): void {
    act(() => circuit.end(outcome, ticket, time.now()))
  }

  function decide(): CircuitAdmission {
    const retryAfterMs = circuit.waitMs(time.now())
    const isAllowed = retryAfterMs === 0
    let ticket!: number
    act(() => {
      if (isAllowed) {
        allowed++
        circuit.take()
      } else denied++
      ;({ ticket } = circuit)
    })
    return { allowed: isAllowed, retryAfterMs, ticket }
  }

  return {
    get state() {
      return circuit.stateAt(time.now())
    },
    allow: () => decide().allowed,
    decide,
    peek() {
      const retryAfterMs = circuit.waitMs(time.now())
      return { allowed: retryAfterMs === 0, retryAfterMs }
    },
    success: (ticket) => end('success', ticket),
    failure: (ticket) => end('failure', ticket),
    abandon: (ticket) => end('neutral', ticket),
    async run(task, { signal } = {}) {
      throwIfAborted(signal)
      const { allowed, retryAfterMs, ticket } = decide()
      if (!allowed) throw new RateLimitError('circuit-open', 'Not called: circuit-open', retryAfterMs)
      const running = untilAborted((async () => task(signal))(), signal)
      running.then(
        () => end('success', ticket),
        (error: unknown) => end(outcomeOf(error, signal), ticket),
      )
      return running
    },
    reset: () => act(circuit.close),
    snapshot() {
      const now = time.now()
      const state = circuit.stateAt(now)
      const until = state === 'open' ? time.toClock(circuit.until) : undefined
      const shown = { state, until, ...circuit.counts(now), allowed, denied }
      const key = String(Object.values(shown))
      if (last && key === lastKey) return last
      lastKey = key
      return (last = Object.freeze(shown))
    },
    subscribe(listener) {
      const unsubscribe = watchers.subscribe(listener)
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
