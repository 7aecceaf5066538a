import type { CircuitBreaker } from '../../core/adaptive/circuit-breaker.ts'
import { adviseOnMade } from '../../core/shared/develop.ts'
import { RateLimitError } from '../../core/shared/errors.ts'
import { SILENT_MS, type Call, type Outcome } from '../kernel/call.ts'
import type { Policy } from '../policy.ts'

/**
 * A policy that sends nothing to a failing server: while the circuit is open, calls reject with a `RateLimitError` 'circuit-open'
 * and nothing is retried. A 5xx, a network error and a timeout are failures. A throttled or aborted attempt does not count, nor does
 * a network error while the page is offline.
 *
 * @param breaker made by `createCircuitBreaker`, for all buckets; or a function that returns the breaker for a bucket's key.
 * @throws TypeError, in development, if it is neither.
 */
export function circuitBreaker(breaker: CircuitBreaker | ((key: string) => CircuitBreaker)): Policy {
  const isOther = typeof breaker === 'function'
  adviseOnMade('circuitBreaker: breaker', breaker, 'decide', 'createCircuitBreaker', isOther)

  return ({ key, now }) => {
    const circuit = typeof breaker === 'function' ? breaker(key) : breaker
    /** The tickets of requests in flight; NaN for a queued call that is being given up, so that it is denied only once. */
    const tickets = new Map<Call, number>()

    /** Returns undefined if a call may be sent. Otherwise counts it as denied and returns its error. */
    function refusal(): RateLimitError | undefined {
      // A request without a response may never end, so it must not block the circuit.
      if (!circuit.peek().allowed)
        for (const call of tickets.keys()) if (now() - call.sentAt >= SILENT_MS) end(call)
      if (circuit.peek().allowed) return undefined
      return new RateLimitError('circuit-open', 'Call given up: circuit-open', circuit.decide().retryAfterMs)
    }

    function begin(call: Call): void {
      tickets.set(call, circuit.decide().ticket)
    }

    /** Reports the end of an attempt. Without `kind` it says nothing about the server. */
    function end(call: Call, kind?: Outcome['kind']): void {
      const ticket = tickets.get(call)
      tickets.delete(call)
      if (!(ticket! >= 0)) return
      if (kind === 'passed') circuit.success(ticket)
      // `onLine` is reliable only when it is false.
      else if (
        kind === 'failed' ||
        (kind === 'lost' && (globalThis as Partial<typeof globalThis>).navigator?.onLine !== false)
      )
        circuit.failure(ticket)
      else circuit.abandon(ticket)
    }

    return {
      admit(call) {
        const error = refusal()
        if (error) throw error
        if (call.isBypass) begin(call)
      },
      readyAt(now, call) {
        // The circuit may have opened while the call waited.
        if (!tickets.has(call)) {
          const error = refusal()
          if (!error) return now
          tickets.set(call, NaN)
          void Promise.resolve().then(() => call.fail(error))
        }
        return Infinity
      },
      sent: begin,
      veto: () => refusal() && 'circuit-open',
      ended: (call, { kind }) => end(call, kind),
      left: (call) => end(call),
      // Requests in flight will end without this policy.
      dispose() {
        for (const call of tickets.keys()) end(call)
      },
    }
  }
}
