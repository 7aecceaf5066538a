import { checkAbove, checkOneOf } from '../../core/shared/check.ts'
import { report } from '../../core/shared/report.ts'
import type { Priority, RateLimitedRequestInit } from '../options.ts'
import type { Policy } from '../policy.ts'

export interface PrioritiesOptions {
  /** After so many ms in the queue a call is as urgent as a new one of the next higher priority; Infinity: never. @default 10_000 */
  ageingMs?: number | undefined
}

/** The most urgent first: a call's rank is its place here. */
export const PRIORITIES: readonly Priority[] = ['high', 'auto', 'low']

/**
 * A policy that sends the more urgent calls of a queue first: by `init.rateLimit.priority`, or else `init.priority`.
 * Calls of the same urgency keep their order of arrival, and ageing lets none starve.
 *
 * @throws RangeError if `ageingMs` is not above 0. A call with an unknown `rateLimit.priority` rejects with a RangeError.
 */
export function priorities({ ageingMs = 10_000 }: PrioritiesOptions = {}): Policy {
  checkAbove(0, 'priorities ageingMs', ageingMs)

  return (bucket) => ({
    admit(call) {
      call.rank = PRIORITIES.indexOf(priorityOf(call.init))
      try {
        call.options.promotion?.((wanted) => {
          const rank = PRIORITIES.indexOf(wanted)
          if (rank < 0 || rank >= call.rank) return
          call.rank = rank
          bucket.requeue(call)
        })
      } catch (error) {
        report(error)
      }
    },
    before(a, b) {
      // Both age at the same rate: what comes first now comes first for as long as both wait.
      const later = a.rank - b.rank + (a.since - b.since) / ageingMs
      return later === 0 ? undefined : later < 0
    },
  })
}

/**
 * The priority of a call with this `init`.
 *
 * @throws RangeError for an unknown `rateLimit.priority`.
 */
export function priorityOf(init: RateLimitedRequestInit | undefined): Priority {
  const own = init?.rateLimit ? init.rateLimit.priority : undefined
  if (own !== undefined) checkOneOf(PRIORITIES, 'priority', own)
  // Some platforms ignore an unknown `init.priority`, so we do.
  return own ?? PRIORITIES.find((one) => one === init?.priority) ?? 'auto'
}
