import { createConcurrencyLimiter } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limiter = createConcurrencyLimiter({ limit: 2, clock })

const upload = (name: string): Promise<void> =>
  limiter.run(async () => {
    console.log(`${clock.now()} ms: begins ${name}`)
    await new Promise<void>((resolve) => clock.after(100, resolve))
  })

const all = Promise.all([upload('a'), upload('b'), upload('c')])
// → 0 ms: begins a
// → 0 ms: begins b
console.log(limiter.snapshot().inFlight, limiter.snapshot().waiting)
// → 2 1
await clock.advanceAsync(200)
// → 100 ms: begins c
await all

// By hand: release each slot that you take.
const release = limiter.tryAcquire()
console.log(limiter.snapshot().inFlight)
// → 1
release?.()
