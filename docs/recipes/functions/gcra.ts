import { createLimiter, gcra } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const even = createLimiter(gcra({ ratePerSecond: 5, burst: 1 }), { clock })

console.log(even.allow(), even.decide())
// → true { allowed: false, retryAfterMs: 200, remaining: 0 }
clock.advance(199)
console.log(even.allow())
// → false
clock.advance(1)
console.log(even.allow())
// → true

// An idle time saves nothing up.
clock.advance(60_000)
console.log(even.allow(), even.allow())
// → true false
