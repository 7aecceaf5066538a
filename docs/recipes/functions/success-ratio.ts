import {
  createAdaptiveLimiter,
  successRatio,
  tokenBucket,
} from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createAdaptiveLimiter(
  tokenBucket({ ratePerSecond: 100, burst: 10 }),
  {
    strategy: successRatio({ target: 0.9, intervalMs: 1000 }),
    clock,
  },
)

// One call in five fails. The first call after the interval ends it.
for (let i = 1; i <= 11; i++) {
  if (i % 5 === 0) limiter.failure()
  else limiter.success()
  clock.advance(100)
}
console.log(limiter.ratePerSecond)
// → 90
