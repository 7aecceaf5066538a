import {
  createWaitingLimiter,
  RateLimitError,
  tokenBucket,
} from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createWaitingLimiter(
  tokenBucket({ ratePerSecond: 10, burst: 2 }),
  { clock },
)

// Drop what is too much …
console.log(limiter.allow(), limiter.allow(), limiter.allow())
// → true true false
console.log(limiter.decide())
// → { allowed: false, retryAfterMs: 100, remaining: 0 }

// … or book now and act later …
const booking = limiter.reserve()
console.log(booking.delay())
// → 100
booking.cancel()

// … or wait for a turn.
const turn = limiter
  .wait()
  .then(() => console.log(`${clock.now()} ms: goes`))
await limiter.wait(1, { timeoutMs: 150 }).catch((error: unknown) => {
  if (error instanceof RateLimitError)
    console.log(error.code, error.retryAfterMs)
})
// → wait-too-long 200
await clock.advanceAsync(100)
// → 100 ms: goes
await turn
