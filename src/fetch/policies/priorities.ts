import { check } from '../../core/shared/check.ts'
import { report } from '../../core/shared/report.ts'
import type { Priority, RateLimitedRequestInit } from '../options.ts'
import type { Policy } from '../policy.ts'

export interface PrioritiesOptions {
  /** Time in the queue, in ms, that raises a call by one priority level. Infinity: never. @default 10_000 */
  ageingMs?: number | undefined
}

/** In order of urgency. The rank of a call is its index here. */
export const PRIORITIES: readonly Priority[] = ['high', 'auto', 'low']

/**
 * A policy that sends more urgent calls of a queue first, by `init.rateLimit.priority`, or else `init.priority`. Equally urgent
 * calls keep their order of arrival. Ageing prevents starvation.
 *
 * @throws RangeError if `ageingMs` is not above 0. A call with an unknown `rateLimit.priority` rejects with a RangeError.
 */
export function priorities({ ageingMs = 10_000 }: PrioritiesOptions = {}): Policy {
  check(ageingMs > 0, 'priorities ageingMs > 0', ageingMs)

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
      // Both age at the same rate, so their order does not change while they wait.
      const later = a.rank - b.rank + (a.since - b.since) / ageingMs
      return later === 0 ? undefined : later < 0
    },
  })
}

/**
 * Returns the priority of a call with this `init`.
 *
 * @throws RangeError for an unknown `rateLimit.priority`.
 */
export function priorityOf(init: RateLimitedRequestInit | undefined): Priority {
  const own = init?.rateLimit ? init.rateLimit.priority : undefined
  if (own !== undefined && !PRIORITIES.includes(own))
    throw new RangeError(`Expected priority to be ${PRIORITIES.join(' or ')}, got ${own as string}`)
  // An unknown `init.priority` is ignored, as some platforms do.
  return own ?? PRIORITIES.find((one) => one === init?.priority) ?? 'auto'
}
