import { check } from '../../core/shared/check.ts'
import type { Call } from '../kernel/call.ts'
import type { Policy } from '../policy.ts'

export interface RetryBudgetOptions {
  /** Maximum number of retries without a success in between, at least 1. @default 10 */
  capacity?: number | undefined
  /** Retries that a success at the first attempt adds, at least 0. @default 0.1 */
  deposit?: number | undefined
  /** Interval in ms at which one retry is added. Infinity: never. @default 10_000 */
  reserveMs?: number | undefined
}

/**
 * A policy that limits the retries of a bucket to a share of its successes, so that retries do not multiply the load of a server
 * that is down. The budget begins full. A retry costs 1 when it is sent, or 0.5 if the server named its time. If it succeeds, the
 * cost is refunded. A success at the first attempt adds `deposit`.
 *
 * @throws RangeError for a capacity below 1, a deposit below 0, or a `reserveMs` that is not above 0.
 */
export function retryBudget({
  capacity = 10,
  deposit = 0.1,
  reserveMs = 10_000,
}: RetryBudgetOptions = {}): Policy {
  check(capacity >= 1, 'retryBudget capacity >= 1', capacity)
  check(deposit >= 0, 'retryBudget deposit >= 0', deposit)
  check(reserveMs > 0, 'retryBudget reserveMs > 0', reserveMs)

  return (bucket) => {
    const planned = new Map<Call, number>()
    const spent = new WeakMap<Call, number>()
    let balance = capacity
    let at = bucket.now()

    function add(amount: number): number {
      const now = bucket.now()
      const level = Math.min(balance + (now - at) / reserveMs, capacity)
      at = now
      return (balance = Math.min(level + amount, capacity))
    }

    return {
      veto(call, { kind, waitMs }) {
        const cost = kind === 'throttled' && waitMs !== undefined ? 0.5 : 1
        let left = add(0)
        // Planned retries take their cost later.
        for (const reserved of planned.values()) left -= reserved
        if (left < cost) return 'budget'
        planned.set(call, cost)
        return undefined
      },
      sent(call) {
        const cost = planned.get(call)
        if (!cost) return
        planned.delete(call)
        add(-cost)
        spent.set(call, (spent.get(call) ?? 0) + cost)
      },
      ended(call, { kind, response }) {
        // A status that is retried, such as 408, is no success.
        if (kind !== 'passed' || bucket.options.statuses.includes(response!.status)) return
        add(spent.get(call) ?? deposit)
        spent.delete(call)
      },
      left: (call) => planned.delete(call),
      snapshot: () => ({ budget: add(0) }),
    }
  }
}
