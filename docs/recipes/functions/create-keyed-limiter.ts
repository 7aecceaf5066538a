import { createKeyedLimiter, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createKeyedLimiter(
  tokenBucket({ ratePerSecond: 1, burst: 2 }),
  { clock },
)

console.log(
  limiter.allow('ada'),
  limiter.allow('ada'),
  limiter.allow('ada'),
)
// → true true false
console.log(limiter.decide('ada'))
// → { allowed: false, retryAfterMs: 1000, remaining: 0 }
console.log(limiter.decide('grace'))
// → { allowed: true, retryAfterMs: 0, remaining: 1 }
console.log(limiter.size)
// → 2

// Both are full again, and forgotten when another key is used.
clock.advance(2000)
limiter.allow('linus')
console.log(limiter.size)
// → 1
