import {
  composeRateLimitedFetch,
  holdSlot,
  untilBodyRead,
} from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const server: typeof globalThis.fetch = (input) => {
  console.log(new URL(new Request(input).url).pathname)
  return Promise.resolve(new Response('a large file'))
}

// One download at a time, to its last byte. Without `holdSlot` the next
// one starts when the headers of the first have come.
const fetch = composeRateLimitedFetch({
  fetch: server,
  clock,
  concurrency: 1,
  policies: [holdSlot(untilBodyRead)],
})

const first = await fetch('https://files.test/1')
const second = fetch('https://files.test/2')
await clock.advanceAsync(1000)
// → /1
console.log(fetch.snapshot().queued)
// → 1

await first.text()
await second
// → /2
console.log(fetch.snapshot().queued)
// → 0
