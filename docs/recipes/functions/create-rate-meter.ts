import { createRateMeter } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const meter = createRateMeter({ halfLifeMs: 1000, clock })
const show = (): void =>
  console.log(`${clock.now()} ms: ${meter.rate().toFixed(1)} a second`)

// Ten a second, for five seconds.
for (let i = 0; i < 50; i++) {
  meter.add()
  clock.advance(100)
  if (clock.now() === 1000) show()
  // → 1000 ms: 4.8 a second
}
show()
// → 5000 ms: 9.4 a second
clock.advance(1000)
show()
// → 6000 ms: 4.7 a second

// Continues after a restart, on another clock.
const next = createRateMeter({
  from: meter.toJSON(),
  clock: createManualClock(),
})
console.log(next.rate().toFixed(1))
// → 4.7
