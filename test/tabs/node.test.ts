import { composeRateLimitedFetch } from 'lull/fetch'
import { shareBetweenTabs } from 'lull/tabs'
import { expect, it, onTestFinished } from 'vitest'

it('shares a cooldown on the BroadcastChannel of Node, as between worker threads', async () => {
  const open = (status: number) => {
    const fetch = composeRateLimitedFetch({
      fetch: () => Promise.resolve(new Response(null, { status, headers: { 'retry-after': '30' } })),
      maxRetries: 0,
      policies: [shareBetweenTabs({ name: 'node', storage: null })],
    })
    onTestFinished(fetch.dispose)
    return fetch
  }
  const [a, b] = [open(429), open(200)]
  await b('https://a.test')
  const closed = new Promise<string | undefined>((resolve) => {
    b.subscribe(() => {
      const { open, source } = b.snapshot('https://a.test')!.gate
      if (!open) resolve(source)
    })
  })
  await a('https://a.test')
  expect(await closed).toBe('shared')
})
