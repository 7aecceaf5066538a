import { batch } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const names = new Map([
  [1, 'Ada'],
  [2, 'Grace'],
])

const users = batch(
  (ids: number[]) => {
    console.log(`${clock.now()} ms: loads ${ids.join(', ')}`)
    return ids.map((id) => names.get(id) ?? new Error(`no user ${id}`))
  },
  { wait: 10, key: (id) => id, clock },
)

const results = Promise.allSettled([
  users.add(1),
  users.add(2),
  users.add(1),
  users.add(3),
])
await clock.advanceAsync(10)
// → 10 ms: loads 1, 2, 3
for (const result of await results)
  console.log(
    result.status === 'fulfilled' ? result.value : String(result.reason),
  )
// → Ada
// → Grace
// → Ada
// → Error: no user 3
