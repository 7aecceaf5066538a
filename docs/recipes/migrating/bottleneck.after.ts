import {
  createLimiter,
  createQueue,
  every,
  gcra,
  systemClock,
} from 'lull/core'

/**
 * Sends one at a time, starts at least 333 ms apart. When more than 100
 * wait, the oldest is dropped.
 */
export function createSender<Result>(
  send: (id: number) => Promise<Result>,
  clock = systemClock,
) {
  // new Bottleneck({ maxConcurrent: 1, minTime: 333, highWater: 100,
  //   strategy: Bottleneck.strategy.LEAK })
  const queue = createQueue({
    limiter: createLimiter(gcra({ ratePerSecond: every(333), burst: 1 }), {
      clock,
    }),
    concurrency: 1,
    capacity: 100,
    overflow: 'drop-oldest',
  })
  return {
    // limiter.schedule(() => send(id))
    send: (id: number) => queue.add(() => send(id)),
    // In place of a 'failed' handler, when the server says 429.
    pauseFor: queue.pauseFor,
  }
}
// Starts at 0, 333, 666 … ms; after `pauseFor(2000)` at 700 ms, the next
// one at 2700 ms.
