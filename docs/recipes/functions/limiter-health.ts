import { createLimiter, limiterHealth, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createLimiter(
  tokenBucket({ ratePerSecond: 1, burst: 20 }),
  { clock },
)

for (let i = 0; i < 50; i++) limiter.allow()
console.log(limiterHealth(limiter.snapshot()))
// → { isHealthy: true, denialRatio: undefined }

// Since then: 100 decisions, all of them refusals.
const since = limiter.snapshot()
for (let i = 0; i < 100; i++) limiter.allow()
console.log(limiterHealth(limiter.snapshot(), { since }))
// → { isHealthy: false, denialRatio: 1 }
