import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

it('comes back when the server says', async () => {
  const clock = createManualClock()
  const responses = [
    new Response(null, { status: 429, headers: { 'Retry-After': '2' } }),
    new Response('ok'),
  ]
  const askedAt: number[] = []
  const fetch = createRateLimitedFetch({
    clock,
    // No jitter.
    random: () => 0,
    fetch: () => {
      askedAt.push(clock.now())
      return Promise.resolve(responses.shift()!)
    },
  })
  const response = fetch('https://api.example/')
  await clock.advanceAsync(2000)
  expect(await (await response).text()).toBe('ok')
  expect(askedAt).toEqual([0, 2000])
})
