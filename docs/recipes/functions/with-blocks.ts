import { createKeyedLimiter, tokenBucket, withBlocks } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const logins = withBlocks(createKeyedLimiter(tokenBucket({ ratePerSecond: 1, burst: 5 }), { clock }))

logins.block('203.0.113.7', 60_000)
console.log(logins.decide('203.0.113.7'))
// → { allowed: false, retryAfterMs: 60000, remaining: 5 }
clock.advance(60_000)
console.log(logins.allow('203.0.113.7'))
// → true
