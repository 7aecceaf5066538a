import { checkFunction } from '../../core/shared/check.ts'
import { report } from '../../core/shared/report.ts'
import type { Policy } from '../policy.ts'
import { untilBodyRead } from './until-body-read.ts'

/** Until when a response holds its place in `concurrency`; `signal` is the caller's. */
export type HoldUntil = (response: Response, signal: AbortSignal | undefined) => PromiseLike<unknown>

/**
 * A policy that counts a response in `concurrency` beyond its headers: until its body is read, or until what `until`
 * returns has settled. A call that rejects holds nothing.
 *
 * @param until what it throws or rejects with is reported, and frees the place. @default untilBodyRead
 * @throws TypeError for what is no function.
 */
export function holdSlot(until: HoldUntil = untilBodyRead): Policy {
  checkFunction('holdSlot until', until)

  return (bucket) => {
    let held = 0

    return {
      readyAt: (now) =>
        bucket.inFlight() - bucket.others.inFlight + held < bucket.options.concurrency ? now : Infinity,
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

/** In a scope of its own, so that waiting for the end does not keep the response. Rejects if `until` throws. */
function settled(until: HoldUntil, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  return new Promise((resolve) => resolve(until(response, signal)))
}
