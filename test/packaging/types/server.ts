// A server in Node or Bun: without the types of React and the DOM.
import { createRateLimitedFetch, type RateLimitedFetch } from 'lull/fetch'
import { createRedisLimiter, tokenBucket } from 'lull/redis'
import { createManualClock } from 'lull/testing'

declare global {
  // Bun's fetch has members.
  namespace fetch {
    const preconnect: (url: string) => void
  }
}

export const paced: RateLimitedFetch = createRateLimitedFetch({
  fetch: (input, init) => fetch(input, init),
  clock: createManualClock(),
})
globalThis.fetch = Object.assign(paced, { preconnect: fetch.preconnect })
export const urgent = paced('https://api.test/', { priority: 'high' })
// @ts-expect-error -- a number is no URL
export const wrong = paced(5)
export const shared = createRedisLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), {
  run: async () => [],
})
