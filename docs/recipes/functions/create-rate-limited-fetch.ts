import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()

/** Lets three requests through, refuses one, and then lets all through. */
const statuses = [200, 200, 200, 429]
const server: typeof globalThis.fetch = (input) => {
  const status = statuses.shift() ?? 200
  console.log(`${clock.now()} ms: ${new Request(input).url} ${status}`)
  return Promise.resolve(
    new Response(null, { status, headers: { 'Retry-After': '2' } }),
  )
}

// `random` adds nothing to a cooldown, so that the instants are round.
const fetch = createRateLimitedFetch({
  fetch: server,
  clock,
  random: () => 0,
})

const calls = [1, 2, 3, 4, 5].map((id) => fetch(`https://api.test/${id}`))
await clock.advanceAsync(0)
// → 0 ms: https://api.test/1 200
// → 0 ms: https://api.test/2 200
// → 0 ms: https://api.test/3 200
// → 0 ms: https://api.test/4 429
// → 0 ms: https://api.test/5 200

const late = fetch('https://api.test/6')
const { queued, gate } = fetch.snapshot()
console.log(`${queued} wait until ${gate.until} ms, for ${gate.source}`)
// → 2 wait until 2000 ms, for retry-after:delay

await clock.advanceAsync(2000)
// → 2000 ms: https://api.test/4 200
// → 2000 ms: https://api.test/6 200

const responses = await Promise.all([...calls, late])
console.log(responses.map(({ status }) => status))
// → [ 200, 200, 200, 200, 200, 200 ]
