import { getEventListeners, setMaxListeners } from 'node:events'
import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { listen } from './loopback.ts'
import { startReal, turn } from './start-real.ts'

// Thousands of calls take a while.
vi.setConfig({ testTimeout: 30_000 })

describe('over HTTP, many aborts', () => {
  it('R107 a long-lived signal keeps no more listeners after 1,000 calls than the platform leaves', async () => {
    const { origin } = await listen((_, index) => (index % 3 === 0 ? 500 : 200))
    const { f, settle } = startReal({ maxRetries: 1, concurrency: 50 })
    async function listenersAfter(send: typeof fetch): Promise<number> {
      const { signal } = new AbortController()
      const listeners = (): number => getEventListeners(signal, 'abort').length
      setMaxListeners(0, signal)
      for (let round = 0; round < 10; round++) {
        const calls = Array.from({ length: 100 }, async () => (await send(`${origin}/`, { signal })).text())
        await settle(Promise.all(calls))
      }
      // The weak ones of Requests that nobody holds any more go with them.
      for (let turns = 0; turns < 10 && listeners() > 1; turns++) {
        globalThis.gc!()
        await turn()
      }
      return listeners()
    }
    const native = await listenersAfter(fetch)
    expect(await listenersAfter(f)).toBeLessThanOrEqual(native)
  })

  it('R78 R111 10,000 queued calls are aborted one by one, each at the cost of any other', async () => {
    const { origin, paths } = await listen(() => undefined)
    let reads = 0
    const manual = createManualClock()
    const clock = { ...manual, now: () => (reads++, manual.now()) }
    const f = createRateLimitedFetch({ clock, concurrency: 1, maxQueue: Infinity })
    const rest = new AbortController()
    const ahead = f(`${origin}/ahead`, { signal: rest.signal })
    const calls = Array.from({ length: 10_000 }, (_, index) => {
      const controller = new AbortController()
      const rejected: unknown[] = []
      f(`${origin}/${index}`, { signal: controller.signal }).catch((error: unknown) => rejected.push(error))
      return { controller, rejected, index }
    })
    expect(f.snapshot(origin)?.queued).toBe(10_000)
    const costs = calls.map(({ controller, index }) => {
      const before = reads
      controller.abort(index)
      return reads - before
    })
    expect(f.snapshot(origin)?.queued).toBe(0)
    await turn()
    expect(calls.map(({ rejected }) => rejected)).toEqual(calls.map(({ index }) => [index]))
    // Whatever there is to be done, it reads the clock.
    expect(Math.max(...costs)).toBeLessThanOrEqual(10)

    rest.abort('done')
    await expect(ahead).rejects.toBe('done')
    expect(paths().filter((path) => path !== '/ahead')).toEqual([])
  })
})
