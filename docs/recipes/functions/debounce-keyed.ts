import { debounceKeyed } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const save = debounceKeyed(
  (id: number, text: string) =>
    console.log(`${clock.now()} ms: saves ${id} as ${text}`),
  100,
  { key: (id) => id, clock },
)

save(1, 'milk')
save(2, 'bread')
clock.advance(50)
save(1, 'milk and eggs')
console.log(save.isPending(2), save.size)
// → true 2
clock.advance(200)
// → 100 ms: saves 2 as bread
// → 150 ms: saves 1 as milk and eggs
console.log(save.size)
// → 0
