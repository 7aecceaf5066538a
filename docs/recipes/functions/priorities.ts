import { composeRateLimitedFetch, priorities } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const server: typeof globalThis.fetch = (input) => {
  console.log(
    `${clock.now()} ms: ${new URL(new Request(input).url).pathname}`,
  )
  return new Promise((resolve) =>
    clock.after(100, () => resolve(new Response())),
  )
}
const fetch = composeRateLimitedFetch({
  fetch: server,
  clock,
  concurrency: 1,
  policies: [priorities()],
})

void fetch('https://api.test/shown')
void fetch('https://api.test/prefetched', { priority: 'low' })
void fetch('https://api.test/also-shown')
void fetch('https://api.test/clicked', { priority: 'high' })
await clock.advanceAsync(1000)
// → 0 ms: /shown
// → 100 ms: /clicked
// → 200 ms: /also-shown
// → 300 ms: /prefetched
