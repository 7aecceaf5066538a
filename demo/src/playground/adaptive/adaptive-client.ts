import { createAdaptiveLimiter, tokenBucket, type AdaptiveLimiter, type Clock } from 'lull/core'

export interface AdaptiveClient {
  limiter: Pick<AdaptiveLimiter, 'ratePerSecond'>
  /** One call, which is sent if the rate of now allows it. */
  call: () => 'held' | 'served' | 'refused'
}

export function createAdaptiveClient(clock: Clock, ask: () => boolean): AdaptiveClient {
  const limiter = createAdaptiveLimiter(tokenBucket({ ratePerSecond: 5, burst: 2 }), {
    max: 100,
    increase: 4,
    clock,
  })

  return {
    limiter,
    call() {
      if (!limiter.allow()) return 'held'
      // All that it ever learns of the server: whether it was served.
      const isServed = ask()
      if (isServed) limiter.success()
      else limiter.failure()
      return isServed ? 'served' : 'refused'
    },
  }
}
