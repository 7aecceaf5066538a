import { throttle } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const draw = throttle(
  (top: number) => console.log(`${clock.now()} ms: draws at ${top}`),
  100,
  { clock },
)

// Scrolls on every 30 ms.
for (const top of [10, 20, 30, 40, 50, 60]) {
  draw(top)
  clock.advance(30)
}
// → 0 ms: draws at 10
// → 100 ms: draws at 40
clock.advance(1000)
// → 220 ms: draws at 60
