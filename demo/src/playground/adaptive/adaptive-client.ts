import { createAdaptiveLimiter, tokenBucket, type AdaptiveLimiter, type Clock } from 'lull/core'

export interface AdaptiveClient {
  limiter: Pick<AdaptiveLimiter, 'ratePerSecond'>
  /** Sends one call if the current rate allows it. */
  call: () => 'held' | 'served' | 'refused'
}

export function createAdaptiveClient(clock: Clock, callServer: () => boolean): AdaptiveClient {
  const limiter = createAdaptiveLimiter(tokenBucket({ ratePerSecond: 5, burst: 2 }), {
    max: 100,
    increase: 4,
    clock,
  })

  return {
    limiter,
    call() {
      if (!limiter.allow()) return 'held'
      // The only feedback from the server.
      const isServed = callServer()
      if (isServed) limiter.success()
      else limiter.failure()
      return isServed ? 'served' : 'refused'
    },
  }
}
