import {
  createLimiter,
  debounce,
  fixedWindow,
  type Clock,
} from 'lull/core'
import { createManualClock } from 'lull/testing'

// For tests: it moves only when `advance` is called.
const manual = createManualClock()
const save = debounce(
  () => console.log(`${manual.now()} ms: saves`),
  250,
  { clock: manual },
)
save()
manual.advance(1000)
// → 250 ms: saves
console.log(manual.now(), manual.pending)
// → 1000 0

// What `wallClock` is, here at half past twelve and 50 seconds.
manual.setWall(Date.UTC(2026, 0, 1, 12, 30, 50))
const wall: Clock = { ...manual, now: manual.wall }
const minute = createLimiter(fixedWindow({ limit: 1, windowMs: 60_000 }), {
  clock: wall,
})
console.log(minute.allow(), minute.decide().retryAfterMs)
// → true 10000
