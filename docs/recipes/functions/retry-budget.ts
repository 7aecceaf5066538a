import {
  composeRateLimitedFetch,
  retryBudget,
  type Policy,
} from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
let requests = 0
const server: typeof globalThis.fetch = () => {
  requests++
  return Promise.resolve(new Response(null, { status: 503 }))
}

async function count(policies: Policy[]): Promise<number> {
  requests = 0
  const fetch = composeRateLimitedFetch({
    fetch: server,
    clock,
    random: () => 0,
    policies,
  })
  for (let id = 0; id < 100; id++) {
    const call = fetch(`https://api.test/${id}`)
    await clock.advanceAsync(0)
    await call
  }
  return requests
}

// The server is down, and 100 calls come: each is sent three times …
console.log(await count([]))
// → 300

// … or at most ten are sent again, and then one every 10 s.
console.log(await count([retryBudget()]))
// → 110
