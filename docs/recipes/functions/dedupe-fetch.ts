import { dedupeFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const server: typeof globalThis.fetch = (input) => {
  const { method, url } = new Request(input)
  console.log(`${clock.now()} ms: ${method} ${url}`)
  return new Promise((resolve) =>
    clock.after(100, () => resolve(new Response('Bern'))),
  )
}
const fetch = dedupeFetch(server)

// Two requests for the same URL, the second while the first is in flight.
const one = fetch('https://api.test/capital')
await clock.advanceAsync(50)
const other = fetch('https://api.test/capital')
await clock.advanceAsync(50)
// → 0 ms: GET https://api.test/capital
console.log(await (await one).text(), await (await other).text())
// → Bern Bern

// It is not a cache: after the response, the next call sends a request.
const third = fetch('https://api.test/capital')
await clock.advanceAsync(100)
// → 100 ms: GET https://api.test/capital
console.log(await (await third).text())
// → Bern
