import { createLimiter, every, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createLimiter(
  tokenBucket({ ratePerSecond: every(30_000), burst: 1 }),
  { clock },
)

console.log(limiter.allow())
// → true
console.log(limiter.decide().retryAfterMs)
// → 30000
console.log(every(200), every(0), every(Infinity))
// → 5 Infinity 0
