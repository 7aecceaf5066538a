import { dedupeFetch, priorities, type FetchFunction, type RateLimitedRequestInit } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { networkError } from '../fixtures/fake-server.ts'
import { A, start, statesOf, stubMode, tick, watch, play } from '../fixtures/start.ts'
import { callAbortably, createStreamingFetch, type Wrapped } from '../fixtures/wrapped.ts'
import { throwing } from '../../core/shared/throwing.ts'

type Own = Parameters<typeof dedupeFetch>[1]

function startShared(
  options: Parameters<typeof start>[0] = {},
  answers?: Parameters<typeof start>[1],
  own?: Own,
) {
  const started = start({ policies: [priorities()], ...options }, answers)
  return { ...started, f: dedupeFetch(started.f, own) }
}

const hello = { status: 200, body: 'hello' }

type Arguments = [input: RequestInfo | URL, init?: RateLimitedRequestInit | undefined]

async function areShared(one: Arguments, other: Arguments, own?: Own): Promise<boolean> {
  const { f, server, clock } = startShared({}, [], own)
  const calls = [f(...one), f(...other)]
  await clock.advanceAsync(10)
  await Promise.all(calls)
  return server.requests.length === 1
}

const get = (init?: RateLimitedRequestInit, path = ''): Arguments => [A + path, init]
const headers = (of: Record<string, string>): RateLimitedRequestInit => ({ headers: of })

describe('shared requests', () => {
  const patient: RateLimitedRequestInit = { rateLimit: { maxWaitMs: 5 } }
  const next = { next: { revalidate: 1 } } as RequestInit
  const authorized = headers({ authorization: 'x' })
  const post = { method: 'POST', body: 'x' }

  it.each<[string, Arguments, Arguments]>([
    ['of the same URL', get(), get()],
    ['of a string, and of a URL', get(undefined, '/'), [new URL(A)]],
    ['of a string, and of a Request', get(undefined, '/'), [new Request(A)]],
    ['of HEAD', get({ method: 'HEAD' }), get({ method: 'head' })],
    ['with explicit defaults', get({}), get({ method: 'GET', headers: {}, body: null, signal: null })],
    ['with headers in another order', get(headers({ a: '1', b: '2' })), get(headers({ B: '2', A: '1' }))],
    ['with the same Authorization', get(authorized), [new Request(A, { headers: { authorization: 'x' } })]],
    ['of other priorities', get({ priority: 'low' }), get({ rateLimit: { priority: 'high' } })],
    ['with other signals', get({ signal: new AbortController().signal }), get()],
    ['with a member that is undefined', get({ next: undefined } as RequestInit), get()],
    ['with the same maxWaitMs', get(patient), get(patient)],
    ['both past the queue', get({ rateLimit: false }), get({ rateLimit: false })],
  ])('those %s are', async (_, one, other) => {
    expect(await areShared(one, other)).toBe(true)
    expect(await areShared(other, one)).toBe(true)
  })

  it.each<[string, Arguments, Arguments?]>([
    ['of another URL', get({}, '/x')],
    ['of another query', get({}, '/?x')],
    ['of another method', get({ method: 'HEAD' })],
    ['with a header', get(headers({ accept: 'text/html' }))],
    ['with another header', get(headers({ a: '1' })), get(headers({ a: '2' }))],
    ['with headers that run into each other', get(headers({ a: '1,b,2' })), get(headers({ a: '1', b: '2' }))],
    ['with credentials', get({ credentials: 'include' })],
    ['without credentials', get({ credentials: 'omit' })],
    ['of another mode', get({ mode: 'same-origin' })],
    ['that follow no redirect', get({ redirect: 'manual' })],
    ['of another cache mode', get({ cache: 'no-cache' })],
    ['with an integrity', get({ integrity: 'sha256-abc' })],
    ['of another referrer policy', get({ referrerPolicy: 'no-referrer' })],
    ['with keepalive', get({ keepalive: true })],
    ['past the queue', get({ rateLimit: false })],
    ['of another maxWaitMs', get(patient)],
    ['of a POST that is a Request', [new Request(A, post)], [new Request(A, post)]],
    ...[
      { method: 'POST' },
      { ...post, method: 'PUT' },
      { ...post, method: 'DELETE' },
      { method: 'HEADER' },
      { method: 'TARGET' },
      { cache: 'no-store' } as const,
      { cache: 'reload' } as const,
      next,
    ].map((init): [string, Arguments, Arguments] => [`of ${JSON.stringify(init)}`, get(init), get(init)]),
  ])('those %s are not', async (_, one, other = [A]) => {
    const sources = [one, other].map(([input, init]): Arguments => [
      input instanceof Request ? input.clone() : input,
      init,
    ])
    expect(await areShared(one, other)).toBe(false)
    expect(await areShared(sources[1]!, sources[0]!)).toBe(false)
  })

  it.each([
    ['navigations', 'navigate', {}, false],
    ['media ranges', 'no-cors', { range: 'bytes=0-' }, false],
    ['images', 'no-cors', {}, true],
    ['ranges of scripts', 'cors', { range: 'bytes=0-' }, true],
  ])('in a service worker, %s: mode %s, headers %o, shared: %s', async (_, mode, given, isShared) => {
    onTestFinished(stubMode(mode))
    const request = new Request(A, { headers: given })
    expect(await areShared([request], [request])).toBe(isShared)
  })

  it('are further restricted by dedupeKey', async () => {
    const own: Own = { dedupeKey: ({ url }) => new URL(url).pathname }
    const withId = (id: string) => headers({ 'x-request-id': id })
    expect(await areShared(get(withId('1'), '/'), get(withId('2'), '/?b'), own)).toBe(true)
    expect(await areShared([`${A}/a`], [`${A}/b`], own)).toBe(false)
    expect(await areShared([A], [A], { dedupeKey: () => null })).toBe(false)
    expect(await areShared([A], [A], { dedupeKey: undefined })).toBe(true)
  })

  it('are not extended by dedupeKey', async () => {
    const dedupeKey = vi.fn(() => 'same')
    const own = { dedupeKey }
    const both = (init: RequestInit): Promise<boolean> => areShared([A, init], [A, init], own)
    expect(await both({ method: 'POST', body: 'x' })).toBe(false)
    expect(dedupeKey).not.toHaveBeenCalled()
    expect(await both({ cache: 'no-store' })).toBe(false)
    expect(await areShared([A], [A, { method: 'HEAD' }], own)).toBe(false)
    expect(await areShared([A], [A, { rateLimit: false }], own)).toBe(false)
  })

  it('never cross credentials', async () => {
    for (const own of [undefined, { dedupeKey: () => 'same' }]) {
      expect(await areShared(get(authorized), get(headers({ authorization: 'y' })), own)).toBe(false)
      expect(await areShared(get(authorized), get(), own)).toBe(false)
      expect(await areShared(get(headers({ cookie: 'a' })), get(headers({ cookie: 'b' })), own)).toBe(false)
      expect(await areShared(get({ credentials: 'include' }), get({ credentials: 'omit' }), own)).toBe(false)
    }
  })
})

it('sends a shared request unchanged', async () => {
  const sent: Request[] = []
  const f = dedupeFetch((input, init) => {
    sent.push(new Request(input, init))
    return Promise.resolve(new Response())
  })
  const headers = { a: '1' }
  const members = {
    method: 'HEAD',
    mode: 'cors',
    credentials: 'include',
    cache: 'no-cache',
    redirect: 'error',
    integrity: 'sha256-abc',
  } as const
  const given = { ...members, headers, referrer: '', referrerPolicy: 'origin' } as const
  await f(A, given)
  await f(new Request(A, given))
  await f(A, new Request(A, given))
  expect(sent).toHaveLength(3)
  // Node 24 loses the referrer of a `Request` that it copies.
  const copy = new Request(new Request(A, given))
  for (const [index, { referrer, referrerPolicy }] of [given, copy, given].entries()) {
    expect(sent[index]).toMatchObject({ ...members, referrer, referrerPolicy })
    expect(Object.fromEntries(sent[index]!.headers)).toEqual(headers)
  }
})

it('passes rateLimit: false on', async () => {
  const inner = vi.fn<FetchFunction>(() => Promise.resolve(new Response()))
  await dedupeFetch(inner)(A, { rateLimit: false })
  expect(inner.mock.calls[0]![1]).toMatchObject({ rateLimit: false })
})

const callers = (wrapped: Wrapped, count: number) =>
  Array.from({ length: count }, () => callAbortably(wrapped))

function streaming() {
  const { fetch, ...server } = createStreamingFetch()
  return { f: dedupeFetch(fetch), clock: createManualClock(), ...server }
}

describe('each caller has its own abort', () => {
  it.each([0, 1, 2])('of three, number %i aborts, and no other', async (index) => {
    const started = startShared({}, [hello])
    const all = callers(started, 3)
    await started.clock.advanceAsync(5)
    all[index]!.abort()
    await tick()
    expect(all[index]!.outcome).toMatchObject({ state: 'rejected', error: all[index]!.reason, at: 5 })
    expect(all[index]!.outcome.error).toBe(all[index]!.reason)
    await started.clock.advanceAsync(5)
    const others = all.filter((_, other) => other !== index)
    for (const { outcome } of others) expect(await outcome.response!.text()).toBe('hello')
    expect(started.server.requests).toHaveLength(1)
  })

  it('a caller after the abort of all others gets a new request, unaffected by the old one', async () => {
    const started = startShared()
    // The old one has failed after 0 ms.
    const calls = await play(started, '/ abort / +0 / +10')
    expect(statesOf(calls)).toEqual(['rejected', 'resolved', 'resolved'])
    expect(started.server.requests).toHaveLength(2)
  })

  it('the last abort of several cancels the request', async () => {
    const { f, clock, signals } = streaming()
    const all = callers({ f, clock }, 3)
    await clock.advanceAsync(0)
    const texts = all.map(({ outcome }) => outcome.response!.text())
    all[0]!.abort()
    all[2]!.abort()
    expect(signals[0]!.aborted).toBe(false)
    all[1]!.abort()
    for (const text of texts) await expect(text).rejects.toBe(all[1]!.reason)
    expect(signals).toHaveLength(1)
  })
})

describe('each caller has its own response', () => {
  it('cancels a response that arrives after all have aborted', async () => {
    const cancel = vi.fn()
    const { server, clock } = start({}, [{ status: 200, body: new ReadableStream({ cancel }) }])
    const all = callers({ f: dedupeFetch((input) => server.fetch(input)), clock }, 2)
    for (const { abort } of all) abort()
    await clock.advanceAsync(10)
    expect(cancel).toHaveBeenCalledOnce()
    expect(all.map(({ outcome }) => outcome)).toMatchObject(Array(2).fill({ state: 'rejected', at: 0 }))
  })

  it('lets thousands of callers read one body', async () => {
    const f = dedupeFetch(() => Promise.resolve(new Response('hello')))
    const texts = await Promise.all(Array.from({ length: 3000 }, async () => (await f(A)).text()))
    expect(new Set(texts)).toEqual(new Set(['hello']))
  })

  it('cancels the body when each caller has cancelled its own', async () => {
    const { f, cancelled } = streaming()
    const responses = await Promise.all([f(A), f(A), f(A)])
    const cancels = responses.slice(1).map(({ body }) => body!.cancel())
    await new Promise(setImmediate)
    expect(cancelled).toHaveLength(0)
    await Promise.all([...cancels, responses[0].body!.cancel()])
    expect(cancelled).toHaveLength(1)
  })
})

it.each([200, networkError()])('a settled request is sent again in the same tick (%s)', async (answer) => {
  const { f, clock, server } = startShared({ maxRetries: 0 }, [answer])
  const askAgain = (): unknown => f(A)
  f(A).then(askAgain, askAgain)
  await clock.advanceAsync(20)
  expect(server.at()).toEqual([0, 10])
})

describe('a group is one call', () => {
  it.each<[string, RateLimitedRequestInit]>([
    ['of init', { priority: 'high' }],
    ['of rateLimit', { rateLimit: { priority: 'high' } }],
    ['of rateLimit, which overrides that of init', { priority: 'low', rateLimit: { priority: 'high' } }],
  ])('rises to the highest priority %s', async (_, init) => {
    const started = startShared({ concurrency: 1 })
    const outcomes = await play(started, '/0 /1 /2 /x:low')
    outcomes.push(...(await play(started, '/x +40', init)))
    expect(started.server.paths()).toEqual(['/0', '/x', '/1', '/2'])
    expect(statesOf(outcomes)).toEqual(Array(5).fill('resolved'))
  })

  it('fails alone if its promotion throws', async () => {
    const { f, clock } = startShared({}, [hello])
    const rateLimit = { promotion: throwing(new Error('promotion')) }
    const outcomes = [watch(f(A, { rateLimit }), clock), watch(f(A), clock)]
    await clock.advanceAsync(100)
    expect(statesOf(outcomes)).toEqual(['rejected', 'resolved'])
  })

  it('is not raised by an invalid priority', () => {
    const told: unknown[] = []
    let raise!: (priority: never) => void
    const f = dedupeFetch((_, init) => {
      if (init?.rateLimit) init.rateLimit.promotion!((promoted) => told.push(promoted))
      return new Promise(() => undefined)
    })
    void f(A, { rateLimit: { promotion: (given) => (raise = given) } })
    for (const priority of ['urgent', 'low', 'high']) raise(priority as never)
    expect(told).toEqual(['auto', 'auto', 'auto', 'high'])
  })
})
