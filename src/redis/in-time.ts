import type { Clock } from '../core/time/clock.ts'

/** Settles as `promise` does, or rejects after `ms`. What comes later is ignored. */
export function inTime<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel = clock.after(ms, () => {
      // A process that was busy for so long has timers due before it has read what has arrived: one turn more for that.
      cancel = clock.after(0, () => reject(new Error('No reply in time')))
    })
    promise.then(resolve, reject).finally(() => cancel())
  })
}
