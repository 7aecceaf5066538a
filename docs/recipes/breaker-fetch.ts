import {
  createCircuitBreaker,
  RateLimitError,
  type CircuitBreaker,
  type CircuitBreakerOptions,
} from 'lull/core'
import type { Breaker } from 'lull/fetch'

/** For the option `breaker`: a circuit breaker for each origin, or whatever the option `key` makes of a request. */
export function breakersByKey(options?: CircuitBreakerOptions): Breaker {
  const breakers = new Map<string, CircuitBreaker>()

  function breakerOf(key: string): CircuitBreaker {
    let breaker = breakers.get(key)
    if (!breaker) breakers.set(key, (breaker = createCircuitBreaker(options)))
    return breaker
  }

  return {
    beforeDispatch(key) {
      const { allowed, retryAfterMs, ticket } = breakerOf(key).decide()
      if (!allowed) throw new RateLimitError('circuit-open', `Not sent: ${key} fails`, retryAfterMs)
      return ticket
    },
    afterAttempt(key, outcome, ticket) {
      const { success, failure, abandon } = breakerOf(key)
      const tell = { success, failure, neutral: abandon }[outcome]
      tell(ticket as number)
    },
  }
}
