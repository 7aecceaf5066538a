import { RateLimitError } from '../../core/shared/errors.ts'
import { check } from '../../core/shared/check.ts'
import { LONGEST_MS } from '../../core/time/clock.ts'
import type { Call } from '../kernel/call.ts'
import type { Policy } from '../policy.ts'

/**
 * A policy that rejects calls that are not sent within `ms` with a `RateLimitError` 'queue-timeout', at once if the gate is closed
 * for longer. A call that was sent may wait for retries as long as `totalTimeoutMs` allows. `init.rateLimit.queueTimeoutMs`
 * overrides `ms` for one call.
 *
 * @param ms above 0. Infinity limits only calls with their own `queueTimeoutMs`.
 * @throws RangeError if `ms` is not above 0.
 */
export function queueTimeout(ms: number): Policy {
  check(ms > 0, 'queueTimeout ms > 0', ms)

  return (bucket) => {
    /** Calls that are not sent yet, with what stops their timers. */
    const timers = new Map<Call, (() => void) | undefined>()
    let opensAt = -Infinity

    const msOf = (call: Call): number => call.options.queueTimeoutMs ?? ms

    const refusal = (call: Call): RateLimitError =>
      new RateLimitError(
        'queue-timeout',
        'Call given up: queue-timeout',
        Math.max(bucket.readyAt(call) - bucket.now(), 0),
      )

    const isHopeless = (call: Call): boolean => opensAt - call.since > msOf(call)

    function forget(call: Call): void {
      timers.get(call)?.()
      timers.delete(call)
    }

    return {
      admit(call) {
        check(msOf(call) > 0, 'queueTimeoutMs > 0', msOf(call))
        if (call.isBypass) return
        if (isHopeless(call)) throw refusal(call)
        const giveUp = (): void => call.fail(refusal(call))
        timers.set(call, msOf(call) <= LONGEST_MS ? bucket.clock.after(msOf(call), giveUp) : undefined)
      },
      closed(until) {
        opensAt = until
        for (const call of timers.keys()) if (isHopeless(call)) call.fail(refusal(call))
      },
      sent: forget,
      left: forget,
      reset() {
        opensAt = -Infinity
      },
      dispose() {
        for (const stop of timers.values()) stop?.()
      },
    }
  }
}
