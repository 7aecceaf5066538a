import { debounce, debounceAsync } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()

const save = debounce(
  (text: string) => console.log(`${clock.now()} ms: saves ${text}`),
  250,
  { clock },
)
save('a')
clock.advance(249)
console.log(`${clock.now()} ms: ${clock.pending} callback waits`)
// → 249 ms: 1 callback waits
clock.advance(1)
// → 250 ms: saves a

// It stops at every due time on the way, so a chain of timers works.
function tick(): void {
  console.log(`${clock.now()} ms: ticks`)
  if (clock.now() < 600) clock.after(100, tick)
}
clock.after(100, tick)
clock.advance(10_000)
// → 350 ms: ticks
// → 450 ms: ticks
// → 550 ms: ticks
// → 650 ms: ticks

// Promise continuations run between the steps.
const search = debounceAsync(
  (_signal, text: string) => Promise.resolve(text.length),
  250,
  { clock },
)
void search('four').then((outcome) =>
  console.log(`${clock.now()} ms:`, outcome),
)
await clock.advanceAsync(1000)
// → 10500 ms: { status: 'done', value: 4 }

console.log(clock.pending)
// → 0
