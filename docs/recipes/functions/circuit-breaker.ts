import { createCircuitBreaker } from 'lull/core'
import {
  circuitBreaker,
  composeRateLimitedFetch,
  isRateLimitError,
} from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
let isDown = true
const server: typeof globalThis.fetch = () =>
  Promise.resolve(new Response(null, { status: isDown ? 500 : 200 }))

const fetch = composeRateLimitedFetch({
  fetch: server,
  clock,
  maxRetries: 0,
  // One for each bucket: one server may be down and another not.
  policies: [
    circuitBreaker(() =>
      createCircuitBreaker({ minimumCalls: 3, openMs: 5000, clock }),
    ),
  ],
})

async function call(): Promise<void> {
  try {
    console.log((await fetch('https://api.test/')).status)
  } catch (error) {
    if (isRateLimitError(error))
      console.log(`${error.code}, come back in ${error.retryAfterMs} ms`)
  }
}

for (let times = 0; times < 4; times++) await call()
// → 500
// → 500
// → 500
// → circuit-open, come back in 5000 ms

isDown = false
await clock.advanceAsync(5000)
await call()
// → 200
