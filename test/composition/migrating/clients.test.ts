import { setImmediate } from 'node:timers/promises'
import { createLimiter, tokenBucket } from 'lull/core'
import { beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

/** Advances the fake platform timers in steps of 10 ms; bodies are read in event loop turns between them. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    await vi.advanceTimersByTimeAsync(10)
    await setImmediate()
  }
}

type GetItems = (url: string, ids: readonly number[]) => Promise<unknown[]>

/** Gets twelve items from a server that allows two a second in bursts of four and sends Retry-After. */
async function play(getItems: GetItems, origin: string) {
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 2, burst: 4 }))
  let pausedUntil = 0
  const seen = { requests: 0, refused: 0, intoAPause: 0 }
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const { url } = new Request(input, init)
    seen.requests++
    if (Date.now() < pausedUntil) seen.intoAPause++
    const { allowed, retryAfterMs } = limiter.decide()
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (allowed) return Response.json(url.split('/').at(-1))
    seen.refused++
    const seconds = Math.ceil(retryAfterMs / 1000)
    pausedUntil = Math.max(pausedUntil, Date.now() + seconds * 1000)
    return new Response(null, { status: 429, headers: { 'Retry-After': String(seconds) } })
  })
  // Requests eight items, and half a second later four more.
  const all = [getItems(origin, [0, 1, 2, 3, 4, 5, 6, 7])]
  await pass(500)
  all.push(getItems(origin, [8, 9, 10, 11]))
  const ended = Promise.all(all).then((items) => items.flat())
  await pass(60_000)
  expect(await ended).toEqual(Array.from({ length: 12 }, (_, id) => String(id)))
  expect(vi.getTimerCount()).toBe(0)
  return seen
}

it.each(['ky', 'axios-retry'])(
  '%s: returns the same items with fewer requests and refusals, and sends nothing during a pause',
  async (name) => {
    const recipe = (when: string) =>
      import(`../../../docs/recipes/migrating/${name}.${when}.ts`) as Promise<{ getItems: GetItems }>
    const before = await play((await recipe('before')).getItems, 'https://before.test')
    const after = await play((await recipe('after')).getItems, 'https://after.test')
    expect(before.intoAPause).toBeGreaterThan(0)
    expect(after.intoAPause).toBe(0)
    expect(after.refused).toBeLessThan(before.refused)
    expect(after.requests).toBeLessThan(before.requests)
  },
)
