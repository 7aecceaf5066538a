import { report } from '../core/report.ts'
import type { BucketHost } from './bucket-host.ts'
import type { AttemptOutcome, Call } from './bucket-types.ts'
import type { GiveUpReason } from './events.ts'
import type { RetryAccount, RetryBudget } from './plug-ins.ts'
import type { Verdict } from './verdict.ts'

/** What stands before queue and gate: the breaker, and the budget for retries. R91–R94, R120–R122 */
export interface Toll {
  /** Retries that the budget has left; undefined without one. */
  readonly budget: number | undefined
  /** Lets the call in, or answers what the breaker refuses it with. */
  enter: (call: Call) => { readonly error: unknown } | undefined
  /** Why the call may not be sent again; if it may, that is paid for. */
  whyNot: (call: Call, verdict: Verdict | undefined) => GiveUpReason | undefined
  returned: (call: Call, outcome: AttemptOutcome) => void
  /** An attempt that was let in is not made. */
  abandon: (call: Call) => void
}

export function createToll(key: string, host: BucketHost): Toll {
  let account: RetryAccount | undefined
  let openedWith: RetryBudget | undefined

  function accountOf(): RetryAccount | undefined {
    const { retryBudget } = host.settings
    if (retryBudget !== openedWith) account = retryBudget?.(() => host.time.now())
    openedWith = retryBudget
    return account
  }

  function enter(call: Call): { readonly error: unknown } | undefined {
    const { breaker } = host.settings
    if (!breaker) return undefined
    try {
      call.admission = { ticket: breaker.beforeDispatch(key) }
      return undefined
    } catch (error) {
      return { error }
    }
  }

  function leave(call: Call, outcome: 'success' | 'failure' | 'neutral'): void {
    const { admission } = call
    call.admission = undefined
    try {
      if (admission) host.settings.breaker?.afterAttempt(key, outcome, admission.ticket)
    } catch (error) {
      report(error)
    }
  }

  return {
    get budget() {
      return accountOf()?.level()
    },
    enter,
    whyNot(call, verdict) {
      // R93: the gate paces those that the server has named a time for.
      const cost = verdict?.isThrottled && verdict.waitMs !== undefined ? 0.5 : 1
      if (accountOf()?.canPay(cost) === false) return 'budget'
      if (enter(call)) return 'breaker'
      accountOf()?.pay(cost)
      call.owed = cost
      return undefined
    },
    returned(call, outcome) {
      call.paid += call.owed
      call.owed = 0
      if (outcome === 'success') accountOf()?.succeeded(call.paid)
      leave(call, outcome === 'failed' || outcome === 'lost' ? 'failure' : outcome)
    },
    abandon(call) {
      // R94: what is not sent costs nothing.
      if (call.owed > 0) accountOf()?.pay(-call.owed)
      call.owed = 0
      leave(call, 'neutral')
    },
  }
}
