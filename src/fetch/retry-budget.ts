import { checkAbove, checkFrom } from '../core/rules/check-number.ts'
import type { RetryBudget } from './plug-ins.ts'

export interface RetryBudgetOptions {
  /** Retries that may be made in a row without a success, from 1. @default 10 */
  capacity?: number | undefined
  /** What a success at the first attempt is worth, in retries. @default 0.1 */
  deposit?: number | undefined
  /** One retry comes back each time, whatever happens; Infinity: never. @default 10_000 */
  reserveMs?: number | undefined
}

/**
 * An account of retries for each bucket, which begins full: so that when a server is down, its clients do not send it
 * several times what they sent before. A retry costs 1, or 0.5 if the server has named its time; a success at the first
 * attempt brings 0.1, and one of a retry what that has cost. For the option `retryBudget`.
 *
 * @throws RangeError for a capacity below 1, a deposit below 0, a time not above 0.
 */
export function createRetryBudget({
  capacity = 10,
  deposit = 0.1,
  reserveMs = 10_000,
}: RetryBudgetOptions = {}): RetryBudget {
  checkFrom(1, 'capacity', capacity)
  checkFrom(0, 'deposit', deposit)
  checkAbove(0, 'reserveMs', reserveMs)

  return (now) => {
    let balance = capacity
    let at = now()

    function level(): number {
      const elapsedMs = Math.max(now() - at, 0)
      at += elapsedMs
      return (balance = Math.min(balance + elapsedMs / reserveMs, capacity))
    }

    return {
      level,
      canPay: (cost) => level() >= cost,
      pay(cost) {
        balance = Math.min(level() - cost, capacity)
      },
      succeeded(paid) {
        balance = Math.min(level() + (paid || deposit), capacity)
      },
    }
  }
}
