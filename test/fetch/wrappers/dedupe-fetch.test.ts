import {
  dedupeFetch,
  priorities,
  type CallOptions,
  type DedupeFetchOptions,
  type Priority,
  type RateLimitedRequestInit,
} from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { networkError } from '../fixtures/fake-server.ts'
import { A, start, statesOf, tick, watch, callAll } from '../fixtures/start.ts'
import { callAbortably, createStreamingFetch, type Caller, type Wrapped } from '../fixtures/wrapped.ts'

/** As `start`, with `f` wrapped, and the paced fetch itself as `paced`. */
function startShared(
  options: Parameters<typeof start>[0] = {},
  answers?: Parameters<typeof start>[1],
  own?: DedupeFetchOptions,
) {
  const started = start({ policies: [priorities()], ...options }, answers)
  return { ...started, paced: started.f, f: dedupeFetch(started.f, own) }
}

const hello = { status: 200, body: 'hello' }

type Arguments = [input: RequestInfo | URL, init?: RateLimitedRequestInit | undefined]

/** Whether two calls are one request. */
async function areShared(one: Arguments, other: Arguments, own?: DedupeFetchOptions): Promise<boolean> {
  const { f, server, clock } = startShared({}, [], own)
  const calls = [f(...one), f(...other)]
  await clock.advanceAsync(10)
  await Promise.all(calls)
  return server.requests.length === 1
}

describe('which requests are shared', () => {
  it.each<[string, Arguments, Arguments]>([
    ['of the same URL', [A], [A]],
    ['of a string, and of a URL', [`${A}/`], [new URL(A)]],
    ['of a string, and of a Request', [`${A}/`], [new Request(A)]],
    ['of HEAD', [A, { method: 'HEAD' }], [A, { method: 'head' }]],
    ['with nothing said', [A, {}], [A, { method: 'GET', headers: {}, body: null, signal: null }]],
    [
      'with the same headers in another order and case',
      [A, { headers: { a: '1', b: '2' } }],
      [A, { headers: { B: '2', A: '1' } }],
    ],
    [
      'with the same Authorization',
      [A, { headers: { authorization: 'x' } }],
      [new Request(A, { headers: { authorization: 'x' } })],
    ],
    ['of other priorities', [A, { priority: 'low' }], [A, { rateLimit: { priority: 'high' } }]],
    ['with other signals', [A, { signal: new AbortController().signal }], [A]],
    ['with a member that is not set', [A, { next: undefined } as RequestInit], [A]],
    ['with the same patience', [A, { rateLimit: { maxWaitMs: 5 } }], [A, { rateLimit: { maxWaitMs: 5 } }]],
    ['both past the queue', [A, { rateLimit: false }], [A, { rateLimit: false }]],
  ])('those %s are', async (_, one, other) => {
    expect(await areShared(one, other)).toBe(true)
    expect(await areShared(other, one)).toBe(true)
  })

  it.each<[string, Arguments, Arguments?]>([
    ['of another URL', [`${A}/x`]],
    ['of another query', [`${A}/?x`]],
    ['of another method', [A, { method: 'HEAD' }]],
    ['with a header', [A, { headers: { accept: 'text/html' } }]],
    ['with another header', [A, { headers: { a: '1' } }], [A, { headers: { a: '2' } }]],
    [
      'with headers that run into each other',
      [A, { headers: { a: '1,b,2' } }],
      [A, { headers: { a: '1', b: '2' } }],
    ],
    ['with credentials', [A, { credentials: 'include' }]],
    ['without credentials', [A, { credentials: 'omit' }]],
    ['of another mode', [A, { mode: 'same-origin' }]],
    ['that follow no redirect', [A, { redirect: 'manual' }]],
    ['of another cache mode', [A, { cache: 'no-cache' }]],
    ['with an integrity', [A, { integrity: 'sha256-abc' }]],
    ['of another referrer policy', [A, { referrerPolicy: 'no-referrer' }]],
    ['that are to outlive the page', [A, { keepalive: true }]],
    ['past the queue', [A, { rateLimit: false }]],
    ['of less patience', [A, { rateLimit: { maxWaitMs: 5 } }]],
    ['of POST', [A, { method: 'POST' }], [A, { method: 'POST' }]],
    [
      'of a POST that is a Request',
      [new Request(A, { method: 'POST', body: 'x' })],
      [new Request(A, { method: 'POST', body: 'x' })],
    ],
    ['of PUT', [A, { method: 'PUT', body: 'x' }], [A, { method: 'PUT', body: 'x' }]],
    ['of DELETE', [A, { method: 'DELETE' }], [A, { method: 'DELETE' }]],
    ['of a method that begins like one', [A, { method: 'HEADER' }], [A, { method: 'HEADER' }]],
    ['of a method that ends like one', [A, { method: 'TARGET' }], [A, { method: 'TARGET' }]],
    ['that are not to be cached', [A, { cache: 'no-store' }], [A, { cache: 'no-store' }]],
    ['that are to come anew', [A, { cache: 'reload' }], [A, { cache: 'reload' }]],
    [
      'with members that only the platform knows',
      [A, { next: { revalidate: 1 } } as RequestInit],
      [A, { next: { revalidate: 1 } } as RequestInit],
    ],
  ])('those %s are not', async (_, one, other = [A]) => {
    const sources = [one, other].map(([input, init]): Arguments => [
      input instanceof Request ? input.clone() : input,
      init,
    ])
    expect(await areShared(one, other)).toBe(false)
    expect(await areShared(sources[1]!, sources[0]!)).toBe(false)
  })

  it('dedupeKey tells what else counts', async () => {
    const own: DedupeFetchOptions = { dedupeKey: ({ url }) => new URL(url).pathname }
    const headers = (id: string): RequestInit => ({ headers: { 'x-request-id': id } })
    expect(await areShared([`${A}/`, headers('1')], [`${A}/?b`, headers('2')], own)).toBe(true)
    expect(await areShared([`${A}/a`], [`${A}/b`], own)).toBe(false)
    expect(await areShared([A], [A], { dedupeKey: () => null })).toBe(false)
    expect(await areShared([A], [A], { dedupeKey: undefined })).toBe(true)
  })

  it('dedupeKey makes no other requests shared', async () => {
    const dedupeKey = vi.fn(() => 'same')
    const own = { dedupeKey }
    const both = (init: RequestInit): Promise<boolean> => areShared([A, init], [A, init], own)
    expect(await both({ method: 'POST', body: 'x' })).toBe(false)
    expect(dedupeKey).not.toHaveBeenCalled()
    expect(await both({ cache: 'no-store' })).toBe(false)
    expect(await areShared([A], [A, { method: 'HEAD' }], own)).toBe(false)
    expect(await areShared([A], [A, { rateLimit: false }], own)).toBe(false)
  })

  it('and none across credentials', async () => {
    const own: DedupeFetchOptions = { dedupeKey: () => 'same' }
    const as = (init: RequestInit): Arguments => [A, init]
    const alice = as({ headers: { authorization: 'alice' } })
    const bob = as({ headers: { authorization: 'bob' } })
    for (const options of [undefined, own]) {
      expect(await areShared(alice, bob, options)).toBe(false)
      expect(await areShared(alice, [A], options)).toBe(false)
      expect(
        await areShared(as({ headers: { cookie: 'a' } }), as({ headers: { cookie: 'b' } }), options),
      ).toBe(false)
      expect(await areShared(as({ credentials: 'include' }), as({ credentials: 'omit' }), options)).toBe(
        false,
      )
      expect(await areShared(alice, alice, options)).toBe(true)
    }
  })
})

describe('the drop-in', () => {
  it('what it shares with nobody it passes on as it is', async () => {
    const sent: unknown[][] = []
    const f = dedupeFetch((...args) => {
      sent.push(args)
      return Promise.resolve(new Response())
    })
    const init = { next: { revalidate: 1 } } as RequestInit
    await f(A, init)
    await f(A, { method: 'POST', body: 'x' })
    const request = new Request(A, { method: 'PUT', body: 'x' })
    await f(request)
    expect(sent[0]).toEqual([A, init])
    expect(sent[0]![1]).toBe(init)
    expect(sent[2]![0]).toBe(request)
    expect(request.bodyUsed).toBe(false)
  })

  it('what it shares is sent as it was given', async () => {
    const sent: Request[] = []
    const f = dedupeFetch((input, init) => {
      sent.push(new Request(input, init))
      return Promise.resolve(new Response())
    })
    const given = {
      method: 'HEAD',
      headers: { a: '1' },
      mode: 'cors',
      credentials: 'include',
      cache: 'no-cache',
      redirect: 'error',
      referrerPolicy: 'origin',
      referrer: '',
      integrity: 'sha256-abc',
    } as const
    await f(A, given)
    await f(new Request(A, given))
    await f(A, new Request(A, given))
    expect(sent).toHaveLength(3)
    for (const request of sent) {
      const { method, mode, credentials, cache, redirect, referrerPolicy, referrer, integrity } = request
      const headers = Object.fromEntries(request.headers)
      const its = { method, headers, mode, credentials, cache, redirect, referrerPolicy, referrer, integrity }
      expect(its).toEqual(given)
    }
  })
})

/** Calls that are one request, each with a signal of its own. */
const callers = (wrapped: Wrapped, count: number): Caller[] =>
  Array.from({ length: count }, () => callAbortably(wrapped))

/** A wrapped fetch whose bodies never end. */
function streaming() {
  const { fetch, ...server } = createStreamingFetch()
  return { f: dedupeFetch(fetch), clock: createManualClock(), ...server }
}

describe('each caller has its own abort', () => {
  it.each([0, 1, 2])('of three, number %i aborts, and nobody else', async (index) => {
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

  it('the request is aborted with the last of them, whose reason it gets', async () => {
    const started = startShared()
    const all = callers(started, 3)
    const { signal } = started.server.requests[0]!.request
    all[1]!.abort()
    all[0]!.abort()
    expect(signal.aborted).toBe(false)
    all[2]!.abort()
    expect(signal.reason).toBe(all[2]!.reason)
    await tick()
    for (const { outcome, reason } of all) expect(outcome.error).toBe(reason)
    expect(started.server.inFlight).toBe(0)
  })

  it('one who comes after all have aborted gets a request of its own, which the old one does not end', async () => {
    const started = startShared()
    const [one] = callers(started, 1)
    one!.abort()
    const next = watch(started.f(A), started.clock)
    // The old one has failed by then.
    await started.clock.advanceAsync(0)
    const last = watch(started.f(A), started.clock)
    await started.clock.advanceAsync(10)
    expect(statesOf([one!.outcome, next, last])).toEqual(['rejected', 'resolved', 'resolved'])
    expect(started.server.requests).toHaveLength(2)
  })

  it('who has aborted beforehand joins nobody', async () => {
    const started = startShared()
    const reason = new Error('mine')
    const alone = watch(started.f(A, { signal: AbortSignal.abort(reason) }), started.clock)
    expect(started.server.calls).toBe(0)
    const [one] = callers(started, 1)
    const late = watch(started.f(A, { signal: AbortSignal.abort(reason) }), started.clock)
    await tick()
    expect([alone.error, late.error]).toEqual([reason, reason])
    one!.abort()
    await tick()
    expect(started.server.inFlight).toBe(0)
  })

  it('of several, when the last of them aborts', async () => {
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
  it('whole, whoever reads first, and however', async () => {
    const { f, clock } = startShared({}, [{ status: 201, headers: { a: '1' }, body: '{"b":2}' }])
    const calls = [f(A), f(A), f(A)]
    await clock.advanceAsync(10)
    const responses = await Promise.all(calls)
    expect(new Set(responses).size).toBe(3)
    for (const { status, headers } of responses) expect([status, headers.get('a')]).toEqual([201, '1'])
    expect(await responses[2]!.json()).toEqual({ b: 2 })
    await responses[0]!.body!.cancel()
    expect(await responses[1]!.text()).toBe('{"b":2}')
  })

  it('who is alone gets the very response', async () => {
    const response = new Response('x')
    const { f, clock } = startShared({}, [response])
    const clone = vi.spyOn(response, 'clone')
    const [one, two] = callers({ f, clock }, 2)
    two!.abort()
    await clock.advanceAsync(10)
    expect(one!.outcome.response).toBe(response)
    expect(clone).not.toHaveBeenCalled()
  })

  it('a response that comes although all have aborted is cancelled', async () => {
    let answer!: (response: Response) => void
    const f = dedupeFetch(() => new Promise((resolve) => (answer = resolve)))
    const clock = createManualClock()
    const all = callers({ f, clock }, 2)
    for (const { abort } of all) abort()
    const cancel = vi.fn()
    answer(new Response(new ReadableStream({ cancel })))
    await clock.advanceAsync(0)
    expect(cancel).toHaveBeenCalledOnce()
    expect(statesOf(all.map(({ outcome }) => outcome))).toEqual(['rejected', 'rejected'])
  })

  it('the body is cancelled when each has cancelled its own', async () => {
    const { f, cancelled } = streaming()
    const responses = await Promise.all([f(A), f(A), f(A)])
    const cancels = responses.slice(1).map(({ body }) => body!.cancel())
    await new Promise(setImmediate)
    expect(cancelled).toHaveLength(0)
    await Promise.all([...cancels, responses[0].body!.cancel()])
    expect(cancelled).toHaveLength(1)
  })

  it('a response that cannot be cloned rejects all, and leaves nothing behind', async () => {
    const used = new Response('x')
    await used.text()
    const { f, clock } = startShared({}, [used])
    const outcomes = [watch(f(A), clock), watch(f(A), clock)]
    await clock.advanceAsync(10)
    for (const { error } of outcomes) expect(error).toBeInstanceOf(TypeError)
    const next = watch(f(A), clock)
    await clock.advanceAsync(10)
    expect(next.response?.status).toBe(200)
  })
})

describe('no cache', () => {
  it.each([200, networkError()])(
    'what is settled is asked for anew, in the same tick (%s)',
    async (answer) => {
      const { f, clock, server } = startShared({ maxRetries: 0 }, [answer])
      let again: Promise<Response> | undefined
      const askAgain = (): void => void (again = f(A))
      f(A).then(askAgain, askAgain)
      await clock.advanceAsync(20)
      expect((await again!).status).toBe(200)
      expect(server.at()).toEqual([0, 10])
    },
  )

  it('those are shared that wait in the queue, are in flight, or sleep before a retry', async () => {
    const started = startShared({ concurrency: 1, random: () => 0.5 }, [200, 500])
    const { f, paced, server, clock } = started
    callAll(started, ['/first'])
    const outcomes = [watch(f(`${A}/x`), clock)]
    for (const state of ['queued', 'inFlight', 'sleeping'] as const) {
      expect(paced.snapshot(A)).toMatchObject({ [state]: 1 })
      outcomes.push(watch(f(`${A}/x`), clock))
      await clock.advanceAsync(10)
    }
    await clock.advanceAsync(1000)
    expect(statesOf(outcomes)).toEqual(Array(4).fill('resolved'))
    expect(server.paths()).toEqual(['/first', '/x', '/x'])
  })
})

describe('a group is one call', () => {
  it.each<[string, RateLimitedRequestInit]>([
    ['of init', { priority: 'high' }],
    ['of rateLimit', { rateLimit: { priority: 'high' } }],
    ['of rateLimit, which comes before that of init', { priority: 'low', rateLimit: { priority: 'high' } }],
  ])('rises to the highest priority %s', async (_, init) => {
    const started = startShared({ concurrency: 1 })
    const { f, clock, server } = started
    callAll(started, ['/0', '/1', '/2'])
    const outcomes = [watch(f(`${A}/x`, { priority: 'low' }), clock), watch(f(`${A}/x`, init), clock)]
    await clock.advanceAsync(20)
    expect(server.paths()).toEqual(['/0', '/x', '/1'])
    expect(statesOf(outcomes)).toEqual(['resolved', 'resolved'])
    await clock.advanceAsync(20)
  })

  it('tells the fetch underneath the highest priority so far, whatever it is told', () => {
    const told: unknown[] = []
    const f = dedupeFetch((_, init) => {
      const { priority, promotion } = init!.rateLimit as CallOptions
      told.push(priority)
      promotion!((promoted) => told.push(promoted))
      return new Promise(() => undefined)
    })
    for (const priority of ['low', 'auto', 'low', 'urgent' as never, 'high'] as const) void f(A, { priority })
    expect(told).toEqual(['low', 'low', 'auto', 'auto', 'auto', 'high'])
  })

  it('is not raised by what is no priority', () => {
    const told: unknown[] = []
    let raise!: (priority: Priority) => void
    const f = dedupeFetch((_, init) => {
      ;(init!.rateLimit as CallOptions).promotion!((promoted) => told.push(promoted))
      return new Promise(() => undefined)
    })
    void f(A, { rateLimit: { promotion: (given) => (raise = given) } })
    for (const priority of ['urgent' as Priority, 'low', 'high'] as const) raise(priority)
    expect(told).toEqual(['auto', 'auto', 'auto', 'high'])
  })

  it('rejects for a priority of its own that is none, as the paced fetch does, and leaves nothing behind', async () => {
    const { f, clock, server } = startShared()
    const bad = watch(f(A, { rateLimit: { priority: 'urgent' as Priority } }), clock)
    await clock.advanceAsync(0)
    expect(bad.error).toBeInstanceOf(RangeError)
    const good = watch(f(A), clock)
    await clock.advanceAsync(10)
    expect(good.response?.status).toBe(200)
    expect(server.requests).toHaveLength(1)
  })

  it('tells the caller who wants to raise it by itself', async () => {
    const started = startShared({ concurrency: 1 })
    const { f, clock, server } = started
    callAll(started, ['/0', '/1'])
    let promote: ((priority: 'high') => void) | undefined
    const call = watch(f(`${A}/x`, { rateLimit: { promotion: (given) => (promote = given) } }), clock)
    promote!('high')
    await clock.advanceAsync(20)
    expect(server.paths()).toEqual(['/0', '/x', '/1'])
    expect(call.state).toBe('resolved')
    // Too late to matter.
    promote!('high')
    await clock.advanceAsync(10)
  })
})
