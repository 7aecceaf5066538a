import { slidingWindowLog, tokenBucket } from 'lull/core'
import { composeRateLimitedFetch, limitRate } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
let sentAt: number[] = []
const server: typeof globalThis.fetch = () => {
  sentAt.push(clock.now())
  return Promise.resolve(new Response())
}

async function send(
  limit: Parameters<typeof limitRate>[0],
): Promise<number[]> {
  const fetch = composeRateLimitedFetch({
    fetch: server,
    clock,
    policies: [limitRate(limit)],
  })
  const start = clock.now()
  sentAt = []
  for (let id = 0; id < 5; id++) void fetch(`https://api.test/${id}`)
  await clock.advanceAsync(10_000)
  return sentAt.map((at) => at - start)
}

// Two at once, and then one each half second.
console.log(await send(tokenBucket({ ratePerSecond: 2, burst: 2 })))
// → [ 0, 0, 500, 1000, 1500 ]

// Never more than two in any second.
console.log(await send(slidingWindowLog({ limit: 2, windowMs: 1000 })))
// → [ 0, 0, 1000, 1000, 2000 ]
