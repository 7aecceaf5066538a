import { createLimiter, fixedWindow } from 'lull/core'
import { composeRateLimitedFetch, rateLimitFields } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()

/** Lets 5 through in each 10 s, and says so. */
const limiter = createLimiter(
  fixedWindow({ limit: 5, windowMs: 10_000 }),
  { clock },
)
let refused = 0
const server: typeof globalThis.fetch = () => {
  const { allowed, remaining } = limiter.decide()
  const seconds = Math.ceil((10_000 - (clock.now() % 10_000)) / 1000)
  const headers = {
    'RateLimit-Policy': '"ten";q=5;w=10',
    RateLimit: `"ten";r=${remaining};t=${seconds}`,
  }
  if (!allowed) refused++
  return Promise.resolve(
    new Response(null, { status: allowed ? 200 : 429, headers }),
  )
}

const fetch = composeRateLimitedFetch({
  fetch: server,
  clock,
  policies: [rateLimitFields()],
})

// The first response says how many more may follow.
await fetch('https://api.test/')
console.log(fetch.snapshot('https://api.test')?.quota)
// → [ { name: 'ten', available: 4, until: 10000 } ]

let done = 0
for (let id = 0; id < 12; id++)
  void fetch(`https://api.test/${id}`).then(() => done++)
await clock.advanceAsync(0)
console.log(done, refused)
// → 4 0
await clock.advanceAsync(20_000)
console.log(done, refused)
// → 12 0
