import { createLimiter, fixedWindow } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock(900)
const limiter = createLimiter(fixedWindow({ limit: 3, windowMs: 1000 }), {
  clock,
})

console.log([1, 2, 3, 4].map(() => limiter.allow()))
// → [ true, true, true, false ]
console.log(limiter.decide())
// → { allowed: false, retryAfterMs: 100, remaining: 0 }
// A new window begins at 1000: as many again, 100 ms later.
clock.advance(100)
console.log([1, 2, 3, 4].map(() => limiter.allow()))
// → [ true, true, true, false ]
