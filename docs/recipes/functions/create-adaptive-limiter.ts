import { createAdaptiveLimiter, tokenBucket } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createAdaptiveLimiter(
  tokenBucket({ ratePerSecond: 100, burst: 10 }),
  { jitter: 0, clock },
)
const show = (): void =>
  console.log(
    `${clock.now()} ms: ${limiter.ratePerSecond.toFixed(1)} a second`,
  )

// The server handles 40 a second: further calls in a second fail.
let second = -1
let sent = 0
function send(): void {
  if (!limiter.allow()) return
  const now = Math.floor(clock.now() / 1000)
  if (now !== second) sent = 0
  second = now
  sent++
  if (sent > 40) limiter.failure()
  else limiter.success()
}

for (let i = 0; i < 30_000; i++) {
  if ([0, 1000, 2000, 3000, 10_000, 20_000].includes(clock.now())) show()
  // → 0 ms: 100.0 a second
  // → 1000 ms: 70.0 a second
  // → 2000 ms: 49.3 a second
  // → 3000 ms: 34.8 a second
  // → 10000 ms: 30.9 a second
  // → 20000 ms: 33.1 a second
  send()
  clock.advance(1)
}
