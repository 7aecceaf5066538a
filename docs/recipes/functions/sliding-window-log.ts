import { createLimiter, slidingWindowLog } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock(900)
const limiter = createLimiter(
  slidingWindowLog({ limit: 3, windowMs: 1000 }),
  { clock },
)

console.log([1, 2, 3, 4].map(() => limiter.allow()))
// → [ true, true, true, false ]
clock.advance(100)
console.log(limiter.decide())
// → { allowed: false, retryAfterMs: 900, remaining: 0 }
// An event exactly 1000 ms old no longer counts.
clock.advance(900)
console.log([1, 2, 3, 4].map(() => limiter.allow()))
// → [ true, true, true, false ]
