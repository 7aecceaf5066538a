import { http, HttpResponse, passthrough } from 'msw'
import { setupServer } from 'msw/node'
import { expect, it, onTestFinished, vi } from 'vitest'
import { tooMany } from '../fetch/fixtures/fake-server.ts'
import { listen } from '../fetch/servers/loopback.ts'
import { startReal } from '../fetch/servers/start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

type Handlers = Parameters<typeof setupServer>

function mock(...handlers: Handlers): () => void {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledRequest: 'bypass' })
  onTestFinished(() => server.close())
  return () => server.close()
}

it('uses handlers installed after its creation, and stops when they are removed', async () => {
  const { origin, arrived } = await listen(() => ({ status: 200, body: 'real' }))
  const { f } = startReal()
  expect(await (await f(`${origin}/`)).text()).toBe('real')
  const close = mock(http.get(`${origin}/`, () => HttpResponse.text('mocked')))
  expect(await (await f(`${origin}/`)).text()).toBe('mocked')
  expect(arrived).toHaveLength(1)
  close()
  expect(await (await f(`${origin}/`)).text()).toBe('real')
})

it('waits after a mocked 429, and handlers see the body of every attempt', async () => {
  const bodies: string[] = []
  mock(
    http.put('https://api.test/', async ({ request }) => {
      bodies.push(await request.text())
      return bodies.length === 1
        ? new HttpResponse(null, { status: 429, headers: { 'Retry-After': '2' } })
        : HttpResponse.json({ done: true })
    }),
  )
  const { f, settle, sentAt } = startReal()
  const response = await settle(f('https://api.test/', { method: 'PUT', body: 'text' }))
  expect(await response.json()).toEqual({ done: true })
  expect(bodies).toEqual(['text', 'text'])
  expect(sentAt()).toEqual([0, 2000])
})

/**
 * Makes `f` the global fetch, which MSW then wraps, with a handler that mocks, and one that passes requests through and throws on
 * a loop.
 */
function mockOver(f: typeof fetch, origin: string): void {
  vi.stubGlobal('fetch', f)
  let passed = 0
  mock(
    http.get('https://api.test/', () => HttpResponse.text('mocked')),
    http.get(`${origin}/`, () => {
      if (++passed > 5) throw new Error('Called in circles')
      return passthrough()
    }),
  )
}

it('installed as the global fetch before the handlers, it is called once and paces when given the original fetch', async () => {
  const { origin, arrived } = await listen((_, index) => (index === 0 ? tooMany(2) : 200))
  const { f, settle, sentAt } = startReal({ fetch: globalThis.fetch })
  mockOver(f, origin)
  expect(await (await fetch('https://api.test/')).text()).toBe('mocked')
  expect(sentAt()).toEqual([])
  expect((await settle(fetch(`${origin}/`))).status).toBe(200)
  expect(sentAt()).toEqual([0, 2000])
  expect(arrived).toHaveLength(2)
})
