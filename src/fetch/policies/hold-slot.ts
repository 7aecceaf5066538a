import { checkType } from '../../core/shared/check.ts'
import { report } from '../../core/shared/report.ts'
import type { Policy } from '../policy.ts'

/** Returns a promise that settles when a response frees its slot of `concurrency`. `signal` is the caller's. */
export type HoldUntil = (response: Response, signal: AbortSignal | undefined) => PromiseLike<unknown>

/**
 * A policy that counts a response in `concurrency` until the promise of `until` settles: with `untilBodyRead`, until its body is
 * read. A call that rejects holds no slot. Nor does a response while `shouldRetry` decides, as that may send its own request.
 *
 * @param until its errors and rejections are reported and free the slot.
 * @throws TypeError if `until` is not a function.
 */
export function holdSlot(until: HoldUntil): Policy {
  checkType('function', 'holdSlot until', until)

  return (bucket) => {
    let held = 0

    return {
      readyAt: (now) => (bucket.inFlight() + held < bucket.options.concurrency ? now : Infinity),
      isIdle: () => held === 0,
      left({ signal }, response) {
        if (!response) return
        held++
        settled(until, response, signal)
          .catch(report)
          .finally(() => {
            held--
            bucket.changed()
          })
      },
    }
  }
}

/** A separate scope, so that the wait does not retain the response. Rejects if `until` throws. */
function settled(until: HoldUntil, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve) => resolve(until(response, signal)))
}
