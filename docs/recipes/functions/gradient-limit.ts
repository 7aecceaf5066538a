import { createConcurrencyLimiter, gradientLimit } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const limit = gradientLimit({ initial: 4 })
const limiter = createConcurrencyLimiter({ limit, clock })

// The server works on ten calls at a time, 50 ms each. Others wait there.
let free = 10
const waiting: (() => void)[] = []
async function call(): Promise<void> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  await new Promise<void>((resolve) => clock.after(50, resolve))
  const next = waiting.shift()
  if (next) next()
  else free++
}

for (let i = 0; i < 2000; i++) void limiter.run(call)
for (let second = 1; second <= 3; second++) {
  await clock.advanceAsync(1000)
  const { current, noLoadMs } = limit
  console.log(
    `${second} s: ${current} at a time, ${noLoadMs} ms without load`,
  )
}
// → 1 s: 5 at a time, 50 ms without load
// → 2 s: 9 at a time, 50 ms without load
// → 3 s: 14 at a time, 50 ms without load
