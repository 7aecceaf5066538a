import { createLimiter, slidingWindowCounter } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock(900)
const limiter = createLimiter(
  slidingWindowCounter({ limit: 4, windowMs: 1000 }),
  { clock },
)

console.log([1, 2, 3, 4, 5].map(() => limiter.allow()))
// → [ true, true, true, true, false ]
// At 1550 ms the estimate for the last second is 0.45 of the four: 1.8.
clock.advance(650)
console.log([1, 2, 3, 4].map(() => limiter.allow()))
// → [ true, true, true, false ]
console.log(limiter.decide().retryAfterMs)
// → 200.00000000000026
