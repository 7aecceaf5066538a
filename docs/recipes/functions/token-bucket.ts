import { createLimiter, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createLimiter(
  tokenBucket({ ratePerSecond: 5, burst: 3 }),
  { clock },
)

// The bucket is full: a burst of three passes at once.
console.log([1, 2, 3, 4].map(() => limiter.allow()))
// → [ true, true, true, false ]
// A token comes every 200 ms.
clock.advance(500)
console.log(limiter.remaining())
// → 2.5
console.log(limiter.decide(3))
// → { allowed: false, retryAfterMs: 100, remaining: 2 }
clock.advance(100)
console.log(limiter.allow(3))
// → true
