import { debounceAsync } from 'lull/core'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const search = debounceAsync(
  async (signal, text: string) => {
    signal.addEventListener('abort', () =>
      console.log(`${clock.now()} ms: aborts ${text}`),
    )
    console.log(`${clock.now()} ms: searches ${text}`)
    await new Promise<void>((resolve) => clock.after(200, resolve))
    return `cities like ${text}`
  },
  100,
  { clock },
)

const lo = search('lo')
const lon = search('lon')
await clock.advanceAsync(150)
// → 100 ms: searches lon
const lond = search('lond')
await clock.advanceAsync(300)
// → 250 ms: aborts lon
// → 250 ms: searches lond
console.log(await lo, await lon)
// → { status: 'superseded' } { status: 'superseded' }
console.log(await lond)
// → { status: 'done', value: 'cities like lond' }
