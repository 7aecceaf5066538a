import { supersedeFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
/** The first response takes longest. */
const delays = [300, 100]
const server: typeof globalThis.fetch = (input) =>
  new Promise((resolve) =>
    clock.after(delays.shift() ?? 100, () =>
      resolve(new Response(new URL(new Request(input).url).search)),
    ),
  )

// A newer call replaces one to the same path.
const fetch = supersedeFetch(server, {
  key: ({ url }) => new URL(url).pathname,
})

async function show(url: string): Promise<void> {
  try {
    const response = await fetch(url)
    console.log(`${clock.now()} ms: ${await response.text()}`)
  } catch (error) {
    console.log(
      `${clock.now()} ms:`,
      (error as Error).name,
      (error as Error).cause,
    )
  }
}

void show('https://api.test/search?q=p')
await clock.advanceAsync(50)
void show('https://api.test/search?q=pa')
await clock.advanceAsync(1000)
// → 50 ms: AbortError superseded
// → 150 ms: ?q=pa
