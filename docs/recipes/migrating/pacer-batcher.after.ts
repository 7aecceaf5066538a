import { batch, systemClock } from 'lull/core'

/** Sends ten values at once, or all within a second of the first. */
export function createMeasuring(
  post: (values: number[]) => Promise<void>,
  clock = systemClock,
) {
  // new AsyncBatcher(post, { maxSize: 10, wait: 1000 }),
  // whose wait restarts with each item
  return batch<number>((values) => post(values), {
    maxWait: 1000,
    maxSize: 10,
    clock,
  })
}
// Twelve values, 200 ms apart: five are sent at 1000 ms, five at 2000 ms
// and two at 3000 ms.
