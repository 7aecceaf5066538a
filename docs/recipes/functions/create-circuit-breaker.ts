import { createCircuitBreaker, RateLimitError } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const breaker = createCircuitBreaker({
  minimumCalls: 3,
  openMs: 5000,
  onEvent: (event) => console.log(`${event.at} ms: ${event.type}`),
  clock,
})

let isDown = true
const call = (): Promise<string> =>
  breaker.run(() => {
    if (isDown) throw new Error('down')
    return 'ok'
  })
const describe = (error: unknown): string =>
  error instanceof RateLimitError
    ? `${error.code}, come back in ${error.retryAfterMs} ms`
    : String(error)

for (let i = 0; i < 4; i++) console.log(await call().catch(describe))
// → Error: down
// → Error: down
// → 0 ms: opened
// → Error: down
// → circuit-open, come back in 5000 ms

isDown = false
clock.advance(5000)
console.log(await call())
// → 5000 ms: half-opened
// → 5000 ms: closed
// → ok
