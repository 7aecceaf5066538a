import {
  createWaitingLimiter,
  RateLimitError,
  tokenBucket,
} from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createWaitingLimiter(
  tokenBucket({ ratePerSecond: 1, burst: 1 }),
  { clock },
)
limiter.allow()

try {
  await limiter.wait(1, { timeoutMs: 200 })
} catch (error) {
  if (!(error instanceof RateLimitError)) throw error
  console.log(error.code, error.retryAfterMs)
}
// → wait-too-long 1000
