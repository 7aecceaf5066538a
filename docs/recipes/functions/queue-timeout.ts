import { tokenBucket } from 'lull/core'
import {
  composeRateLimitedFetch,
  isRateLimitError,
  limitRate,
  queueTimeout,
} from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const fetch = composeRateLimitedFetch({
  fetch: () => Promise.resolve(new Response()),
  clock,
  policies: [
    limitRate(tokenBucket({ ratePerSecond: 1, burst: 1 })),
    queueTimeout(2500),
  ],
})

for (let id = 0; id < 5; id++)
  fetch(`https://api.test/${id}`).then(
    ({ status }) => console.log(`${clock.now()} ms: ${id} ${status}`),
    (error: unknown) => {
      if (isRateLimitError(error))
        console.log(`${clock.now()} ms: ${id} ${error.code}`)
    },
  )
await clock.advanceAsync(10_000)
// → 0 ms: 0 200
// → 1000 ms: 1 200
// → 2000 ms: 2 200
// → 2500 ms: 3 queue-timeout
// → 2500 ms: 4 queue-timeout
