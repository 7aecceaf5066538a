import { checkFunction } from '../../core/shared/check.ts'
import type { CircuitAdmission, CircuitBreaker } from '../../core/adaptive/circuit-breaker.ts'
import { RateLimitError } from '../../core/shared/errors.ts'
import type { Call, Outcome } from '../kernel/call.ts'
import type { Policy } from '../policy.ts'

/** How each outcome counts for a breaker. Other outcomes say nothing about the server. */
const REPORTS: Partial<Record<Outcome['kind'], 'success' | 'failure'>> = {
  passed: 'success',
  failed: 'failure',
  lost: 'failure',
}

/**
 * A policy that sends no calls to a server that fails: while the circuit is open, a call rejects at once with a `RateLimitError`
 * 'circuit-open' and is neither queued nor sent; nor is a retry. A 5xx, a network error and a timeout are failures; a throttled or
 * aborted attempt does not count.
 *
 * @param breaker of `createCircuitBreaker`, for all buckets; or a function that returns the breaker of a bucket's key.
 * @throws TypeError if it is neither.
 */
export function circuitBreaker(breaker: CircuitBreaker | ((key: string) => CircuitBreaker)): Policy {
  if (typeof breaker !== 'function') checkFunction('circuitBreaker decide', breaker.decide)

  return ({ key }) => {
    const circuit = typeof breaker === 'function' ? breaker(key) : breaker
    const tickets = new Map<Call, number>()

    function decide(call: Call): CircuitAdmission {
      // An aborted call reports its end only a few microtasks later.
      if (!circuit.peek().allowed) for (const other of tickets.keys()) if (other.signal?.aborted) end(other)
      const decision = circuit.decide()
      if (decision.allowed) tickets.set(call, decision.ticket)
      return decision
    }

    function end(call: Call, report: 'success' | 'failure' | 'abandon' = 'abandon'): void {
      const ticket = tickets.get(call)
      if (tickets.delete(call)) circuit[report](ticket)
    }

    return {
      admit(call) {
        const { allowed, retryAfterMs } = decide(call)
        if (!allowed) throw new RateLimitError('circuit-open', 'Request not sent: circuit-open', retryAfterMs)
      },
      veto: (call) => (decide(call).allowed ? undefined : 'breaker'),
      ended: (call, { kind }) => end(call, REPORTS[kind]),
      left: (call) => end(call),
      // What is in flight ends without this policy.
      dispose: () => tickets.forEach((_, call) => end(call)),
    }
  }
}
