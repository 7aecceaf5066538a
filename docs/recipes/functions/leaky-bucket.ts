import { createLimiter, leakyBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createLimiter(
  leakyBucket({ ratePerSecond: 5, capacity: 3 }),
  { clock },
)

console.log([1, 2, 3, 4].map(() => limiter.allow()))
// → [ true, true, true, false ]
// One leaks out in 200 ms.
clock.advance(200)
console.log(limiter.remaining())
// → 1
console.log(limiter.allow(), limiter.decide().retryAfterMs)
// → true 200
