import { LONGEST_MS, type Timers } from '../core/time/clock.ts'

/** Settles as `promise` does, or rejects after `ms`. A later result is ignored. */
export function inTime<T>(promise: Promise<T>, ms: number, clock: Timers): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel = clock.after(Math.min(ms, LONGEST_MS), () => {
      // In a busy process timers run before replies that have arrived: wait one more turn for those.
      cancel = clock.after(0, () => reject(new Error(`No reply in ${ms} ms`)))
    })
    promise.then(resolve, reject).finally(() => cancel())
  })
}
