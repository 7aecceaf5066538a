import { batch, systemClock } from 'lull/core'

/** Sends what is measured in groups: of ten, or what has come within a second of the first. */
export function createMeasuring(post: (values: number[]) => Promise<void>, clock = systemClock) {
  // new AsyncBatcher(post, { maxSize: 10, wait: 1000 }), whose wait begins anew with each item
  return batch<number>((values) => post(values), {
    wait: Infinity,
    maxWait: 1000,
    maxSize: 10,
    clock,
  })
}
// Twelve values, 200 ms apart, are sent at 1000 and 2000 ms, five each, and at 3000 ms.
