import { debounce } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const save = debounce(
  (text: string) => console.log(`${clock.now()} ms: saves ${text}`),
  300,
  { clock },
)

save('l')
clock.advance(100)
save('lu')
clock.advance(100)
save('lull')
console.log(save.isPending())
// → true
clock.advance(300)
// → 500 ms: saves lull

save('lull is')
save.flush()
// → 500 ms: saves lull is

save('lull is not')
save.cancel()
console.log(save.isPending())
// → false
