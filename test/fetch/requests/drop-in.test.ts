import { createRateLimitedFetch, dedupeFetch, supersedeFetch, type FetchFunction } from 'lull/fetch'
import { createManualClock, type ManualClock } from 'lull/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFakeServer, networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, endOf, run, start, stubMode, tick, watch, play } from '../fixtures/start.ts'

it('reads no clock, draws no random number, and adds no listener before its first call', async () => {
  let isUsed = false
  const onceUsed =
    <Args extends unknown[], Value>(read: (...args: Args) => Value) =>
    (...args: Args): Value => {
      if (!isUsed) throw new Error('Read before the first call')
      return read(...args)
    }
  const listen = vi.fn()
  vi.stubGlobal('addEventListener', listen)
  const started = start({ ratePerSecond: 10, random: onceUsed(() => 0) }, [], ({ now, wall, after }) => ({
    now: onceUsed(now),
    wall: onceUsed(wall),
    after: onceUsed(after),
  }))
  const { f } = started
  f.subscribe(() => undefined)()
  expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 0, buckets: {} })
  expect(f.snapshot(A)).toBeUndefined()
  f.configure({ maxRetries: 1 })
  f.reset()
  isUsed = true
  const [call] = await play(started, '/ +10')
  expect(endOf(call!)).toBe('200@10')
  expect(listen).not.toHaveBeenCalled()
})

describe('the fetch underneath', () => {
  function serveGlobally(answers: Answer[] = [], clock = createManualClock()) {
    const server = createFakeServer(clock, answers)
    vi.stubGlobal('fetch', server.fetch)
    return { clock, server }
  }

  it('is looked up when a request is sent: a later replacement is used', async () => {
    const { clock, server: first } = serveGlobally()
    const f = createRateLimitedFetch({ clock })
    await play({ f, clock }, '/1 pause /2')
    const { server: second } = serveGlobally([], clock)
    await play({ f, clock }, 'resume +10')
    expect([first.paths(), second.paths(), clock.pending]).toEqual([['/1'], ['/2'], 0])
  })

  it('is the previous global fetch when the rate-limited fetch becomes the global one', async () => {
    const { clock, server } = serveGlobally([500, 200])
    const f = createRateLimitedFetch({ clock, random: () => 0.5 })
    vi.stubGlobal('fetch', f)
    const [call] = await play({ f: globalThis.fetch, clock }, '/ +1000')
    expect([call!.response?.status, server.calls, clock.pending]).toEqual([200, 2, 0])
  })

  it('is not the rate-limited fetch itself, even if a wrapper passes the request on later', async () => {
    const { clock, server } = serveGlobally()
    const f = createRateLimitedFetch({ clock })
    vi.stubGlobal('fetch', f)
    let wrapped = 0
    vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
      if (++wrapped > 5) throw new Error('Called in circles')
      await tick()
      return f(...args)
    })
    const [call] = await play({ f: globalThis.fetch, clock }, '/ +20')
    expect([call!.response?.status, server.calls, clock.pending]).toEqual([200, 1, 0])
  })

  it.each<[string, () => Parameters<typeof fetch>]>([
    ['a URL', () => [`${A}/`]],
    ['a URL with init', () => [`${A}/`, { headers: { own: '1' }, signal: null }]],
    ['a Request', () => [new Request(`${A}/`)]],
  ])('sends a retry of %s in a Server Component, which caches requests without a signal', async (_, get) => {
    const { clock, server } = serveGlobally([tooMany(1), networkError(), 200])
    const send = globalThis.fetch
    let remembered: Promise<Response> | undefined
    vi.stubGlobal('fetch', (input: string | Request, init?: RequestInit) =>
      init?.signal
        ? send(input, init)
        : (remembered ??= send(input, init)).then((response) => response.clone()),
    )
    const f = createRateLimitedFetch({ clock, random: () => 0 })
    const call = watch(f(...get()), clock)
    await clock.advanceAsync(2030)
    expect([server.calls, endOf(call)]).toEqual([3, '200@2030'])
  })

  it.each<[string, (fetch: typeof globalThis.fetch, clock: ManualClock) => FetchFunction]>([
    ['dedupeFetch', (fetch) => dedupeFetch(fetch)],
    ['supersedeFetch', (fetch) => supersedeFetch(fetch)],
    ['another one', (_, clock) => createRateLimitedFetch({ clock, concurrency: 1 })],
    ['another one with it', (fetch, clock) => createRateLimitedFetch({ clock, fetch, concurrency: 1 })],
    ['a wrapper that makes a Request', (fetch) => (input, init) => fetch(new Request(input, init))],
  ])('is not the rate-limited fetch itself, installed under %s', async (_, wrap) => {
    const { clock, server } = serveGlobally()
    const f = createRateLimitedFetch({ clock })
    vi.stubGlobal('fetch', f)
    vi.stubGlobal('fetch', wrap(f, clock))
    for (const fetch of [globalThis.fetch, f]) {
      const call = watch(fetch(`${A}/`), clock)
      expect(f.snapshot(A)!.inFlight).toBe(1)
      await clock.advanceAsync(20)
      expect(call.response?.status).toBe(200)
    }
    expect([server.calls, clock.pending]).toEqual([2, 0])
  })
})

const used = (): Request => {
  const request = new Request(`${A}/`, { method: 'PUT', body: 'x' })
  void request.text()
  return request
}

describe('the arguments', () => {
  it.each<[string, () => [RequestInfo | URL, RequestInit?]]>([
    ['an invalid URL', () => ['::']],
    ['a relative URL outside a page', () => ['/path']],
    ['a URL with credentials', () => ['https://user:secret@a.test/']],
    ['a URL with a user', () => ['https://user@a.test/']],
    ['a URL with a password', () => ['https://:secret@a.test/']],
    ['an invalid signal', () => [A, { signal: {} as AbortSignal }]],
    ['a GET with a body', () => [A, { body: 'x' }]],
    ['a forbidden method', () => [A, { method: 'TRACE' }]],
    ['an invalid method', () => [A, { method: 'A B' }]],
    ['an invalid header name', () => [A, { headers: { 'a b': 'c' } }]],
    ['an invalid header value', () => [A, { headers: { a: 'b\nc' } }]],
    ['a used body', () => [used()]],
    ['a stream without duplex', () => [A, { method: 'PUT', body: new ReadableStream() }]],
    ['an invalid mode', () => [A, { mode: 'no' as RequestMode }]],
    ['an invalid init', () => [A, 'init' as RequestInit]],
  ])('reject with the native TypeError at once: %s', async (_, argumentsOf) => {
    for (const isPaused of [false, true]) {
      const { f, server, clock, events } = start()
      if (isPaused) f.pause()
      const call = watch(f(...argumentsOf()), clock)
      expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 0, buckets: {} })
      await tick()
      expect(call.error).toBeInstanceOf(TypeError)
      expect([server.calls, events]).toEqual([0, []])
    }
  })

  it('are read at the call, with the members that a platform adds to init: later changes have no effect', async () => {
    const { f, server, clock } = start({ random: () => 0.5 }, [500, tooMany(1), 200])
    const url = new URL(`${A}/before`)
    const headers = new Headers({ name: 'before', accept: 'text/html' })
    const bytes = new TextEncoder().encode('before')
    const extra = { next: { revalidate: 1 }, dispatcher: {}, cf: { cacheTtl: 5 } }
    const init = { method: 'PUT', headers, body: bytes, ...extra }
    const before = Object.fromEntries(new Request(url, init).headers)
    f.pause()
    void f(url, init)
    const change = (to: string): void => {
      url.pathname = to
      headers.set('name', to)
      headers.set('more', to)
      bytes.set(new TextEncoder().encode(to))
      Object.assign(init, { method: 'POST', body: to, next: to, dispatcher: to, more: to })
    }
    change('queued')
    f.resume()
    change('sent..')
    await clock.advanceAsync(10)
    change('asleep')
    await clock.advanceAsync(2000)
    expect(server.requests).toHaveLength(3)
    for (const { body, ...sent } of server.requests) {
      expect(sent).toMatchObject({ url: `${A}/before`, method: 'PUT', init: extra })
      expect(sent.headers).toEqual(before)
      expect((sent.init as typeof init).dispatcher).toBe(extra.dispatcher)
      expect(JSON.stringify(sent.init)).not.toMatch(/queued|sent|asleep/)
      expect(new TextDecoder().decode(await body)).toBe('before')
    }
  })

  it('are also read at the call with URLSearchParams as the body', async () => {
    const body = new URLSearchParams({ a: 'before' })
    const started = start()
    await play(started, 'pause /', { method: 'PUT', body })
    body.set('a', 'after')
    await play(started, 'resume +0')
    expect(new TextDecoder().decode(await started.server.requests[0]!.body)).toBe('a=before')
  })
})

describe('the sent request', () => {
  it('is a plain URL for the platform fetch, also if this fetch or another one replaces it', async () => {
    const platform = vi.fn(() => Promise.resolve(new Response()))
    vi.stubGlobal('fetch', platform)
    const clock = createManualClock()
    const f = createRateLimitedFetch({ clock })
    const other = createRateLimitedFetch({ clock, fetch: platform })
    await f(A)
    vi.stubGlobal('fetch', f)
    await f(A)
    await other(A)
    expect(platform.mock.calls).toEqual(Array(3).fill([`${A}/`, undefined]))
  })

  it('resolves a relative URL against the base of the page, which may differ from its address', async () => {
    vi.stubGlobal('document', { baseURI: 'https://base.test/folder/' })
    vi.stubGlobal('location', { href: 'https://page.test/' })
    const { server } = await run({ calls: 'file' })
    expect(server.requests[0]!.url).toBe('https://base.test/folder/file')
  })

  it.each(['navigate', 'no-cors'])(
    'has no options in mode %s, which would reset the mode of a navigation and the range of media',
    async (mode) => {
      stubMode(mode)
      const fetch = vi.fn<typeof globalThis.fetch>(() => new Promise(() => undefined))
      const { f, clock } = start({ fetch, attemptTimeoutMs: 100, maxRetries: 0 })
      const call = watch(f(new Request(A)), clock)
      await clock.advanceAsync(100)
      expect(fetch.mock.calls).toEqual([[expect.any(Request), undefined]])
      expect(endOf(call)).toBe('TimeoutError@100')
    },
  )

  it('carries init members of a Request only once', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(new Response()))
    const next = { revalidate: 1 }
    const init = { method: 'PUT', body: 'x', cache: 'no-store', next, priority: 'high' } as const
    await start({ fetch }).f(new Request(`${A}/`), init)
    // With any option the platform resets the referrer.
    const signal = expect.any(AbortSignal) as AbortSignal
    const carried = { next, referrer: 'about:client', referrerPolicy: '', signal }
    expect(fetch.mock.calls).toEqual([[expect.any(Request), carried]])
    expect(fetch.mock.calls[0]![0]).toMatchObject({ method: 'PUT', cache: 'no-store' })
  })

  it.each<[string, (init: RequestInit) => Parameters<typeof fetch>]>([
    ['in a Request', (init) => [new Request(`${A}/`, init)]],
    ['in init', (init) => [`${A}/`, init]],
    ['in the init of a Request', (init) => [new Request(`${A}/`), init]],
  ])('has the same body at each attempt in Firefox, whose requests show none: %s', async (_, argumentsOf) => {
    const shown = Object.getOwnPropertyDescriptor(Request.prototype, 'body')!
    Reflect.deleteProperty(Request.prototype, 'body')
    onTestFinished(() => void Object.defineProperty(Request.prototype, 'body', shown))
    const form = new FormData()
    form.set('field', 'value')
    const { f, server, clock } = start({}, [tooMany(1), 500, 200])
    const call = watch(f(...argumentsOf({ method: 'PUT', body: form })), clock)
    await clock.advanceAsync(60_000)
    expect([call.response?.status, server.requests.length]).toEqual([200, 3])
    const [first] = server.requests
    const [boundary] = /(?<=boundary=).*/.exec(first!.headers['content-type']!)!
    for (const { headers, body } of server.requests) {
      expect(headers).toEqual(first!.headers)
      expect(new TextDecoder().decode(await body)).toContain(`--${boundary}`)
    }
  })

  it('is not asked for its body before the last attempt: WebKit then could not send the files of a form', async () => {
    const asked = vi.spyOn(Request.prototype, 'body', 'get')
    const before: number[] = []
    const fetch = (): Promise<Response> => {
      before.push(asked.mock.calls.length)
      return Promise.resolve(new Response(null, { status: before.length < 3 ? 503 : 200 }))
    }
    const { f, clock } = start({ fetch })
    const [call] = await play({ f, clock }, '/ +60000', { method: 'PUT', body: new FormData() })
    expect(call!.response?.status).toBe(200)
    expect(before).toEqual([0, 0, 0])
  })
})

it.each([
  'data:text/plain,hello',
  'about:blank',
  'file:///etc/hosts',
  'blob:https://a.test/b5fd3e3e',
  'x-http://a/',
])('%s bypasses every limit, and creates no bucket', async (url) => {
  const response = new Response()
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(response))
  const { f, events } = start({ fetch })
  f.pause()
  const call = f(url)
  expect(fetch.mock.calls.map((args) => new Request(...args).url)).toEqual([url])
  expect(f.snapshot().buckets).toEqual({})
  expect(await call).toBe(response)
  expect(events).toEqual([])
})

it('reads a mock whose headers have only `get`, and reports nothing', async () => {
  const get = (name: string): string | null => (name.toLowerCase() === 'retry-after' ? '2' : null)
  const mocks = [429, 200].map((status) => ({ status, headers: { get } }) as unknown as Response)
  const { ends } = await run({ calls: '/', options: { fetch: () => Promise.resolve(mocks.shift()!) } })
  expect(ends).toBe('200@2000')
})
