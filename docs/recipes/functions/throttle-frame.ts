import { throttleFrame } from 'lull/core'
import { createManualClock } from 'lull/testing'

// A frame comes every 16 ms.
const clock = createManualClock()
const move = throttleFrame(
  (x: number) => console.log(`${clock.now()} ms: moves to ${x}`),
  { clock },
)

move(10)
clock.advance(5)
move(20)
clock.advance(5)
move(30)
clock.advance(30)
// → 16 ms: moves to 30

// A hidden page has no frames: a timer runs it.
const { now, wall, after } = clock
const moveHidden = throttleFrame(
  (x: number) => console.log(`${now()} ms: moves to ${x}`),
  {
    clock: { now, wall, after },
  },
)
moveHidden(40)
clock.advance(1000)
// → 140 ms: moves to 40
