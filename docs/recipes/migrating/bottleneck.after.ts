import { createLimiter, createQueue, every, gcra, systemClock } from 'lull/core'

/** Sends one at a time, and no closer than a third of a second; of more than 100 that wait, the oldest goes. */
export function createSender<Result>(send: (id: number) => Promise<Result>, clock = systemClock) {
  // new Bottleneck({ maxConcurrent: 1, minTime: 333, highWater: 100, strategy: Bottleneck.strategy.LEAK })
  const queue = createQueue({
    limiter: createLimiter(gcra({ ratePerSecond: every(333), burst: 1 }), { clock }),
    concurrency: 1,
    capacity: 100,
    overflow: 'drop-oldest',
  })
  return {
    // limiter.schedule(() => send(id))
    send: (id: number) => queue.add(() => send(id)),
    // What 'failed' handlers are for when a server says 429: nobody is sent into the pause.
    pauseFor: queue.pauseFor,
  }
}
// Sends of 10 ms are started at 0, 333, 666 …; with `pauseFor(2000)` at 700 ms, the next at 2700.
