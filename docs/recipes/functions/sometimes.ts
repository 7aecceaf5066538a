import { sometimes } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const now = sometimes({ first: 2, intervalMs: 1000, clock })

for (let miss = 1; miss <= 25; miss++) {
  now(() => console.log(`${clock.now()} ms: miss ${miss}`))
  clock.advance(100)
}
// → 0 ms: miss 1
// → 100 ms: miss 2
// → 1100 ms: miss 12
// → 2100 ms: miss 22
