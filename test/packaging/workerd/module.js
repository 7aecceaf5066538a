// Everything at the top of a module, where a Worker may start no timer, request or random number.
import {
  batch,
  createAdaptiveLimiter,
  createCircuitBreaker,
  createConcurrencyLimiter,
  createKeyedLimiter,
  createLimiter,
  createQueue,
  createRateMeter,
  debounce,
  debounceAsync,
  throttle,
  tokenBucket,
} from 'lull/core'
import { circuitBreaker, createRateLimitedFetch, pageLifecycle, retryBudget } from 'lull/fetch'
import { createRedisLimiter, tokenBucket as redisBucket } from 'lull/redis'
import { shareBetweenTabs } from 'lull/tabs'
import { createManualClock } from 'lull/testing'

const rule = tokenBucket({ ratePerSecond: 0.001, burst: 1 })
const limiters = [createLimiter(rule), createAdaptiveLimiter(rule)]
const keyed = createKeyedLimiter(rule)
const run = async () => [1, '0', '0']
export const made = [
  batch((items) => items, { wait: 5 }),
  createConcurrencyLimiter({ limit: 1 }),
  createQueue({ concurrency: 1 }),
  createRateMeter(),
  debounce(() => undefined, 10),
  debounceAsync(() => undefined, 10),
  throttle(() => undefined, 10),
  createRateLimitedFetch({
    ratePerSecond: 5,
    policies: [circuitBreaker(createCircuitBreaker()), retryBudget(), pageLifecycle(), shareBetweenTabs()],
  }),
  createRedisLimiter(redisBucket({ ratePerSecond: 1, burst: 1 }), { run }),
  createManualClock(),
]

export default {
  fetch: () =>
    Response.json([...limiters, ...limiters].map((limiter) => limiter.allow()).concat(keyed.allow('a'))),
}
