import { checkFunction } from '../../core/shared/check.ts'
import { report } from '../../core/shared/report.ts'
import type { Policy } from '../policy.ts'

/** Resolves when a response frees its place in `concurrency`. `signal` is the caller's. */
export type HoldUntil = (response: Response, signal: AbortSignal | undefined) => PromiseLike<unknown>

/**
 * A policy that counts a response in `concurrency` until the promise of `until` settles: `untilBodyRead` for its body. A call that
 * rejects holds no place, and neither does a response while `shouldRetry` decides: that may send a request of its own.
 *
 * @param until if it throws or rejects, that is reported and frees the place.
 * @throws TypeError if `until` is not a function.
 */
export function holdSlot(until: HoldUntil): Policy {
  checkFunction('holdSlot until', until)

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

/** In a scope of its own, so that the wait does not hold the response. Rejects if `until` throws. */
function settled(until: HoldUntil, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve) => resolve(until(response, signal)))
}
