import { composeRateLimitedFetch, learnPace } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const server: typeof globalThis.fetch = () =>
  new Promise((resolve) => clock.after(100, () => resolve(new Response())))

const plain = composeRateLimitedFetch({ fetch: server, clock })
const learning = composeRateLimitedFetch({
  fetch: server,
  clock,
  policies: [learnPace()],
})

for (let id = 0; id < 100; id++) {
  void plain(`https://api.test/${id}`)
  void learning(`https://api.test/${id}`)
}
// Nothing is known of the server yet: it starts with 8 at a time, then 16.
console.log(plain.snapshot().inFlight, learning.snapshot().inFlight)
// → 100 8

await clock.advanceAsync(100)
console.log(plain.snapshot().inFlight, learning.snapshot().inFlight)
// → 0 16
await clock.advanceAsync(1000)
console.log(
  learning.snapshot().queued,
  learning.snapshot('https://api.test')?.pace,
)
// → 0 undefined
