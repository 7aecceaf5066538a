import type { CircuitBreaker } from '../../core/adaptive/circuit-breaker.ts'
import { adviseOnMade } from '../../core/shared/develop.ts'
import { RateLimitError } from '../../core/shared/errors.ts'
import { SILENT_MS, type Call, type Outcome } from '../kernel/call.ts'
import type { Policy } from '../policy.ts'

/**
 * A policy that sends no calls to a server that fails: while the circuit is open, a call rejects with a `RateLimitError`
 * 'circuit-open' and is neither queued nor sent; nor is a retry. A 5xx, a network error and a timeout are failures; a throttled or
 * aborted attempt does not count, nor does a network error while the page is offline.
 *
 * @param breaker of `createCircuitBreaker`, for all buckets; or a function that returns the breaker of a bucket's key.
 * @throws TypeError, in development, if it is neither.
 */
export function circuitBreaker(breaker: CircuitBreaker | ((key: string) => CircuitBreaker)): Policy {
  // A function is right too: it has a method `call`.
  const method = typeof breaker === 'function' ? 'call' : 'decide'
  adviseOnMade('circuitBreaker: breaker', breaker, method, 'createCircuitBreaker')

  return ({ key, now }) => {
    const circuit = typeof breaker === 'function' ? breaker(key) : breaker
    /** Of the requests in flight; NaN for a queued call that is given up, which counts as denied once. */
    const tickets = new Map<Call, number>()

    /** Why no call may be sent, which counts as denied; undefined if one may. */
    function refusal(): RateLimitError | undefined {
      // A request without a response may never end.
      if (!circuit.peek().allowed)
        for (const call of tickets.keys()) if (now() - call.sentAt >= SILENT_MS) end(call)
      if (circuit.peek().allowed) return undefined
      return new RateLimitError('circuit-open', 'Call given up: circuit-open', circuit.decide().retryAfterMs)
    }

    function begin(call: Call): void {
      tickets.set(call, circuit.decide().ticket)
    }

    /** Without a `kind` its end says nothing about the server. */
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
        // The circuit has opened while the call waited.
        if (!tickets.has(call)) {
          const error = refusal()
          if (!error) return now
          tickets.set(call, NaN)
          queueMicrotask(() => call.fail(error))
        }
        return Infinity
      },
      sent: begin,
      veto: () => refusal() && 'circuit-open',
      ended: (call, { kind }) => end(call, kind),
      left: (call) => end(call),
      // What is in flight ends without this policy.
      dispose() {
        for (const call of tickets.keys()) end(call)
      },
    }
  }
}
