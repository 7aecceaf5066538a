import { allOf, createWaitingLimiter, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const user = createWaitingLimiter(
  tokenBucket({ ratePerSecond: 1, burst: 2 }),
  { clock },
)
const server = createWaitingLimiter(
  tokenBucket({ ratePerSecond: 10, burst: 5 }),
  { clock },
)
const both = allOf(user, server)

console.log(both.allow(), both.allow())
// → true true
console.log(both.decide())
// → { allowed: false, retryAfterMs: 1000, remaining: 0 }
// The refusal took nothing from `server`.
console.log(user.remaining(), server.remaining())
// → 0 3
