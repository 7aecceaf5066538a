import {
  composeRateLimitedFetch,
  priorities,
  queueTimeout,
} from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()

/** Refuses the first request, and takes 50 ms for each. */
let isFirst = true
const server: typeof globalThis.fetch = (input) => {
  const headers: HeadersInit = isFirst ? { 'Retry-After': '2' } : {}
  const response = new Response(null, {
    status: isFirst ? 429 : 200,
    headers,
  })
  isFirst = false
  const { pathname } = new URL(new Request(input).url)
  console.log(`${clock.now()} ms: ${pathname} ${response.status}`)
  return new Promise((resolve) => clock.after(50, () => resolve(response)))
}

// `random` adds nothing to a cooldown, so that the instants are round.
const fetch = composeRateLimitedFetch({
  fetch: server,
  policies: [priorities(), queueTimeout(5000)],
  clock,
  random: () => 0,
})

void fetch('https://api.test/first')
await clock.advanceAsync(50)
// → 0 ms: /first 429

// All calls to the origin wait. The policy puts the urgent one first.
void fetch('https://api.test/later', { priority: 'low' })
void fetch('https://api.test/soon', { priority: 'high' })
console.log(
  fetch.snapshot('https://api.test')?.queued,
  fetch.snapshot().gate.until,
)
// → 3 2050

await clock.advanceAsync(3000)
// → 2050 ms: /soon 200
// → 2100 ms: /first 200
// → 2100 ms: /later 200
