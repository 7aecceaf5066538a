import { createRateLimitedFetch } from 'lull/fetch'
import { shareBetweenTabs } from 'lull/tabs'
import { createManualClock } from 'lull/testing'

const clock = createManualClock()
const server: typeof globalThis.fetch = () =>
  Promise.resolve(
    new Response(null, { status: 429, headers: { 'retry-after': '30' } }),
  )

// In a page `localStorage` is the default.
const items = new Map<string, string>()
const storage = {
  getItem: (name: string) => items.get(name) ?? null,
  setItem: (name: string, value: string) => void items.set(name, value),
  removeItem: (name: string) => void items.delete(name),
}

const open = () =>
  createRateLimitedFetch({
    fetch: server,
    clock,
    random: () => 0,
    maxRetries: 0,
    policies: [shareBetweenTabs({ storage })],
  })

const before = open()
await before('https://api.test/1')
before.dispose()
await clock.advanceAsync(10_000)

// The page reloads. Its first call waits for the rest of the cooldown.
const after = open()
void after('https://api.test/2').catch(() => undefined)
const { source, remainingMs } = after.snapshot().gate
console.log(source, Math.round(remainingMs / 1000))
// → shared 20

after.dispose()
