import { runInNewContext } from 'node:vm'
import type { RateLimitedFetchOptions } from 'lull/fetch'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { A, run, start, watch, play } from '../fixtures/start.ts'

const foreign = (code: string): Error => runInNewContext(code) as Error

describe('errors of another realm or library', () => {
  class FetchError extends Error {
    override name = 'FetchError'
    type = 'system'
  }

  it.each<[string, unknown]>([
    ['a TypeError of another realm', foreign("new TypeError('fetch failed')")],
    ['a FetchError of node-fetch', new FetchError('request failed, reason: connect ECONNREFUSED')],
    ['a foreign TimeoutError', foreign("Object.assign(new Error('late'), { name: 'TimeoutError' })")],
    ['a string', 'failed'],
    ['undefined', undefined],
  ])('%s is a network error: retried, and shouldRetry is called', async (_, error) => {
    const asked: unknown[] = []
    let calls = 0
    const started = start({
      fetch: () => (calls++ === 0 ? Promise.reject(error) : Promise.resolve(new Response())),
      shouldRetry: (attempt) => void asked.push(attempt.error),
    })
    const [call] = await play(started, '/ +0')
    expect(call!.response?.status).toBe(200)
    calls = 0
    const [created] = await play(started, 'POST/ +1000')
    expect(created!.state).toBe('rejected')
    expect(created!.error).toBe(error)
    expect(asked).toEqual([error, error])
  })

  it('does not retry an AbortError of another realm, or call shouldRetry for it', async () => {
    const error = foreign("Object.assign(new Error('aborted'), { name: 'AbortError' })")
    const shouldRetry = vi.fn(() => true)
    const options = { fetch: () => Promise.reject(error), shouldRetry }
    const { outcomes } = await run({ calls: '/', options })
    expect(outcomes[0]!.error).toBe(error)
    expect(shouldRetry).not.toHaveBeenCalled()
  })
})

describe('a fetch of another library, and platforms without Request', () => {
  /** Like undici's fetch, it rejects the platform's Request. */
  function createForeignFetch() {
    const seen: { url: string; method: string; headers: [string, string][]; body: unknown }[] = []
    class ForeignRequest {
      readonly url: string
      readonly method: string
      /** As in node-fetch. */
      readonly signal = null
      readonly headers: Headers
      readonly body = null
      readonly bodyUsed = false
      constructor(input: string | ForeignRequest, init: RequestInit = {}) {
        this.url = typeof input === 'string' ? new URL(input).href : input.url
        this.method = init.method ?? (typeof input === 'string' ? 'GET' : input.method)
        this.headers = new Headers(init.headers ?? (typeof input === 'string' ? undefined : input.headers))
      }
    }
    const PlatformRequest = globalThis.Request as typeof Request | undefined
    const fetch = ((input: unknown, init: RequestInit = {}) => {
      const isKnown = typeof input === 'string' || input instanceof URL || input instanceof ForeignRequest
      if (!isKnown || (PlatformRequest && input instanceof PlatformRequest))
        return Promise.reject(new TypeError('Failed to parse URL from [object Request]'))
      const { url, method, headers } = new ForeignRequest(
        input instanceof ForeignRequest ? input : String(input),
        init,
      )
      seen.push({ url, method, headers: [...headers], body: init.body })
      return Promise.resolve(new Response(null, { status: seen.length === 1 ? 503 : 200 }))
    }) as typeof globalThis.fetch
    return { fetch, seen, ForeignRequest }
  }

  const inits: [string, RequestInit | undefined][] = [
    ['a plain GET', undefined],
    ['headers', { headers: { accept: 'text/plain' } }],
    ['a mode and a cache', { cache: 'no-store', credentials: 'include' }],
    ['a PUT of JSON', { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } }],
    ['a PUT of bytes', { method: 'PUT', body: new Uint8Array([1, 2]) }],
    [
      'a foreign form',
      {
        method: 'PUT',
        body: new (class FormData {
          readonly fields = []
        })() as never,
      },
    ],
    ['a signal', { method: 'DELETE', signal: new AbortController().signal }],
  ]

  describe.each([
    ['with the Request of the platform', Request],
    ['without any', undefined],
  ])('%s', (_, PlatformRequest) => {
    beforeEach(() => void vi.stubGlobal('Request', PlatformRequest))

    it.each(inits)('%s is sent, and retried', async (_, init) => {
      const { fetch, seen } = createForeignFetch()
      const [call] = await play(start({ fetch, attemptTimeoutMs: 1000 }), '/path +100', init)
      expect(call!.response?.status).toBe(200)
      const sent = { url: `${A}/path`, method: init?.method ?? 'GET', body: init?.body }
      expect(seen).toMatchObject([sent, sent])
      expect(seen[0]!.headers).toEqual([...new Headers(init?.headers)])
    })

    it('a form of the platform that is sent once is sent as it was at the call', async () => {
      const { fetch, seen } = createForeignFetch()
      const started = start({ fetch })
      const form = new FormData()
      form.set('name', 'before')
      const [call] = await play(started, 'pause POST/', { body: form })
      form.set('name', 'after')
      await play(started, 'resume +100')
      expect(call!.response?.status).toBe(503)
      expect(seen.map(({ body }) => [...(body as FormData)])).toEqual([[['name', 'before']]])
    })

    it('a Request of its own class is sent, and retried', async () => {
      const { fetch, seen, ForeignRequest } = createForeignFetch()
      const { f, clock } = start({ fetch })
      const call = watch(f(new ForeignRequest(`${A}/path`, { method: 'PUT' }) as unknown as Request), clock)
      await clock.advanceAsync(100)
      expect(call.response?.status).toBe(200)
      const sent = { url: `${A}/path`, method: 'PUT' }
      expect(seen).toMatchObject([sent, sent])
    })

    it("passes URL and method to the user's key and shouldRetry", async () => {
      const { fetch } = createForeignFetch()
      const urls: string[] = []
      const options: RateLimitedFetchOptions = {
        fetch,
        key: ({ url, method }) => `${method} ${url}`,
        shouldRetry: ({ request }) => void urls.push(`${request.method} ${request.url}`),
      }
      const { f, ends } = await run({ calls: 'PUT/', options })
      expect(ends).toBe('200@0')
      expect(Object.keys(f.snapshot().buckets)).toEqual([`PUT ${A}/`])
      expect(urls).toEqual([`PUT ${A}/`])
    })
  })
})

it("a polyfill's signal also works with timeouts: the platform cannot combine it with its own", async () => {
  vi.spyOn(AbortSignal, 'any').mockImplementation(() => {
    throw new TypeError('signals[0] is not of type AbortSignal')
  })
  const { f, clock } = start({ attemptTimeoutMs: 1000, totalTimeoutMs: 5000 })
  const target = new EventTarget()
  const signal = Object.assign(target, { aborted: false, reason: undefined }) as AbortSignal
  const calls = [watch(f(A, { signal }), clock)]
  await clock.advanceAsync(20)
  const reason = new Error('mine')
  calls.push(watch(f(A, { signal }), clock))
  Object.assign(signal, { aborted: true, reason }).dispatchEvent(new Event('abort'))
  await clock.advanceAsync(20)
  expect(calls).toMatchObject([{ response: { status: 200 } }, { error: reason, at: 20 }])
})
