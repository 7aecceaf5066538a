import {
  createLimiter,
  sampled,
  tokenBucket,
  type DeniedEvent,
} from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
// In place of `Math.random`, so that the output is always the same.
let throws = 0
const random = (): number => (throws++ % 10) / 10

const limiter = createLimiter(
  tokenBucket({ ratePerSecond: 0, burst: 1 }),
  {
    clock,
    onEvent: sampled(
      0.1,
      ({ type, at }: DeniedEvent) => console.log(`${at} ms: ${type}`),
      random,
    ),
  },
)

// One passes, 20 are refused, a tenth of those is logged.
for (let i = 0; i < 21; i++) {
  limiter.allow()
  clock.advance(1)
}
// → 1 ms: denied
// → 11 ms: denied
