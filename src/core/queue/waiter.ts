import { onAbort, reasonOf, throwIfAborted } from '../shared/abort.ts'
import { RateLimitError } from '../shared/errors.ts'
import type { LimiterRecord } from '../limit/limiter-record.ts'
import type { Limiter, WaitOptions } from '../limit/limiter-types.ts'
import { checkFrom } from '../limit/rules/check-number.ts'
import { createPlace, type Place } from './place.ts'

/** One who waits, and how it hears what comes of it. Its `at` is the latest that it waits for. */
export interface Waiter extends Place {
  readonly since: number
  wake: () => void
  /** @param retryAfterMs absent: the limiter has been disposed of. */
  refuse: (retryAfterMs?: number) => void
}

/**
 * A promise for a `cost`, kept by `start`, which gets the one who waits. It also gets `onLeave`, to be told before the
 * promise is rejected because the signal aborts.
 */
export const waitFor = (
  { clock }: Pick<Limiter, 'clock'>,
  { count, waited }: LimiterRecord,
  cost: number,
  { signal, timeoutMs = Infinity }: WaitOptions,
  start: (waiter: Waiter, leave: (left: () => void) => void) => void,
): Promise<void> =>
  new Promise<void>((resolve, reject: (reason: unknown) => void) => {
    checkFrom(0, 'cost', cost)
    checkFrom(0, 'timeoutMs', timeoutMs)
    throwIfAborted(signal)
    const since = clock.now()
    let stopListening: (() => void) | undefined

    function end(isAllowed: boolean): void {
      stopListening?.()
      count(isAllowed, cost, since)
    }

    const waiter: Waiter = {
      ...createPlace(cost, since + timeoutMs),
      since,
      wake() {
        waited(clock.now() - since)
        end(true)
        resolve()
      },
      refuse(retryAfterMs) {
        end(false)
        const code = retryAfterMs === undefined ? 'disposed' : 'wait-too-long'
        reject(new RateLimitError(code, `Not waited for: ${code}`, retryAfterMs ?? Infinity))
      },
    }
    start(waiter, (left) => {
      stopListening =
        signal &&
        onAbort(signal, () => {
          reject(reasonOf(signal))
          left()
        })
    })
  })
