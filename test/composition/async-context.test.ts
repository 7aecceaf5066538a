import { AsyncLocalStorage } from 'node:async_hooks'
import { createConcurrencyLimiter, createQueue, createWaitingLimiter, tokenBucket } from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

const storage = new AsyncLocalStorage<number>()

const subjects: Record<string, (clock: ManualClock) => (look: () => void) => Promise<unknown>> = {
  'a bound task of a queue'(clock) {
    const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), { clock })
    const { add } = createQueue({ limiter, concurrency: 1 })
    return (look) => add(AsyncLocalStorage.bind(look))
  },
  'what follows a wait for a limiter'(clock) {
    const { wait } = createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), { clock })
    return (look) => wait().then(look)
  },
  'what follows a place in flight'(clock) {
    const { acquire } = createConcurrencyLimiter({ limit: 1, clock })
    return async (look) => {
      const release = await acquire()
      look()
      release()
    }
  },
  'a request, its dispatch events, its retries and shouldRetry'(clock) {
    let refusals = 3
    const looks = new Map<unknown, () => void>()
    const f = createRateLimitedFetch({
      clock,
      concurrency: 1,
      onEvent: (event) => event.type === 'dispatch' && [...looks.values()][event.call - 1]!(),
      shouldRetry({ request }) {
        looks.get(request.url)!()
        return undefined
      },
      fetch(url) {
        looks.get(url)!()
        return Promise.resolve(new Response(null, { status: refusals-- > 0 ? 429 : 200 }))
      },
    })
    return (look) => {
      const url = `https://api.test/${looks.size}`
      looks.set(url, look)
      return f(url)
    }
  },
}

it.each(Object.keys(subjects))('%s keeps the async context of its caller', async (name) => {
  const clock = createManualClock()
  const call = subjects[name]!(clock)
  const seen: [caller: number, store: number | undefined][] = []
  const calls = [1, 2, 3].map((caller) =>
    storage.run(caller, () => call(() => void seen.push([caller, storage.getStore()]))),
  )
  await clock.advanceAsync(60_000)
  await Promise.all(calls)
  expect(new Set(seen.map(String))).toEqual(new Set(['1,1', '2,2', '3,3']))
})
