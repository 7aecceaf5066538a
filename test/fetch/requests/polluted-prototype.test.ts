import { createLimiter, debounce, tokenBucket } from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect, it, onTestFinished } from 'vitest'
import { A } from '../fixtures/start.ts'

/** Members that all objects have from now on, until the test ends, and that a `for` sees. */
function pollute(members: object): void {
  Object.assign(Object.prototype, members)
  onTestFinished(() => {
    for (const name of Object.keys(members)) Reflect.deleteProperty(Object.prototype, name)
  })
}

it('members of Object.prototype are nothing to a paced fetch, a limiter or a debounce', async () => {
  pollute({ polluted: 'yes', isEvil: () => true })
  const clock = createManualClock()

  const answers = [429, 200]
  const requests: string[] = []
  const paced = createRateLimitedFetch({
    clock,
    random: () => 0,
    fetch: (input) => {
      requests.push(input instanceof Request ? input.url : String(input))
      return Promise.resolve(new Response('served', { status: answers[requests.length - 1]! }))
    },
  })
  const call = paced(`${A}/path`, { headers: { accept: 'text/plain' } })
  await clock.advanceAsync(10_000)
  expect((await call).status).toBe(200)
  expect(requests).toEqual([`${A}/path`, `${A}/path`])
  paced.dispose()

  const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), { clock })
  expect([limiter.allow(), limiter.allow()]).toEqual([true, false])

  const runs: string[] = []
  const debounced = debounce((word: string) => runs.push(word), 100, { clock })
  debounced('one')
  debounced('two')
  clock.advance(100)
  expect(runs).toEqual(['two'])
  expect(clock.pending).toBe(0)
})
