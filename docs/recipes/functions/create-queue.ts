import {
  createLimiter,
  createQueue,
  gcra,
  RateLimitError,
} from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createLimiter(gcra({ ratePerSecond: 2, burst: 1 }), {
  clock,
})
const queue = createQueue({ limiter, capacity: 2 })

function send(mail: string): void {
  queue
    .add(() => console.log(`${clock.now()} ms: sends ${mail}`))
    .catch((error: unknown) => {
      if (error instanceof RateLimitError)
        console.log(`${mail}: ${error.code}`)
    })
}

send('one')
// → 0 ms: sends one
await clock.advanceAsync(0)
send('two')
send('three')
send('four')
await clock.advanceAsync(2000)
// → four: queue-full
// → 500 ms: sends two
// → 1000 ms: sends three
console.log(queue.snapshot().started, queue.size)
// → 3 0
