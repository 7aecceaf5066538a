import { getEventListeners } from 'node:events'
import { createRateLimitedFetch, dedupeFetch, supersedeFetch, type FetchFunction } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { networkError } from '../fixtures/fake-server.ts'
import { A, callAll, endOf, PlainController, play, start, statesOf, tick, watch } from '../fixtures/start.ts'
import { collect } from '../../core/shared/garbage.ts'
import { callAbortably } from '../fixtures/wrapped.ts'

type Key = (request: { url: string }) => string | null

/** Replaces the globals of a page with those of React Native that calls with a signal use. */
function stubNative(): void {
  vi.stubGlobal('AbortController', PlainController)
  vi.stubGlobal(
    'Request',
    class {
      readonly url: string
      readonly headers = new Headers()
      readonly signal = new PlainController().signal
      constructor(url: string) {
        this.url = url
      }
    },
  )
}

describe.each<[string, wrap: (fetch: FetchFunction, key: Key) => FetchFunction]>([
  ['dedupeFetch', (fetch, key) => dedupeFetch(fetch, { dedupeKey: key })],
  ['supersedeFetch', (fetch, key) => supersedeFetch(fetch, { key })],
])('%s', (name, wrap) => {
  const byUrl: Key = ({ url }) => url

  it('throws for an invalid option on creation', () => {
    expect(() => wrap(5 as never, byUrl)).toThrow('a function fetch, not a number, got 5')
    expect(() => wrap(fetch, 'url' as never)).toThrow(TypeError)
    expect(() => wrap(fetch, 'url' as never)).toThrow(/key/i)
  })

  it('passes calls on unchanged on a platform without Request', async () => {
    vi.stubGlobal('Request', undefined)
    const sent = vi.fn<typeof fetch>(() => Promise.resolve(new Response()))
    const f = wrap(sent, () => 'same')
    const init = { headers: { a: '1' } }
    const post = { method: 'POST', body: 'x' }
    await Promise.all([f(A), f(A, init), f(new URL(A)), f(A, post)])
    expect(sent.mock.calls).toEqual([
      [A, undefined],
      [A, init],
      [new URL(A), undefined],
      [A, post],
    ])
    expect(sent.mock.calls[1]![1]).toBe(init)
  })

  it.each([undefined, { status: 200, body: 'text' }])('passes on the result of a mock: %o', async (value) => {
    const f = wrap(() => Promise.resolve(value as never), byUrl)
    expect(await f(A, { signal: new AbortController().signal })).toBe(value)
  })

  it('also works below one rate-limited fetch inside another', async () => {
    const { clock, server } = start()
    const inner = createRateLimitedFetch({ clock, fetch: wrap(server.fetch, byUrl) })
    const outer = createRateLimitedFetch({ clock, fetch: inner })
    const calls = await play({ f: outer, clock }, '/ / +20')
    expect([server.calls, ...statesOf(calls)]).toEqual(
      name === 'dedupeFetch' ? [1, 'resolved', 'resolved'] : [2, 'rejected', 'resolved'],
    )
  })

  it('passes a URL on as one, because a fetch of another realm accepts no Request of the platform', async () => {
    const sent = vi.fn<typeof fetch>(() => Promise.resolve(new Response()))
    await wrap(sent, byUrl)(A, { headers: { a: '1' } })
    expect(sent.mock.calls).toMatchObject([[A, { headers: { a: '1' } }]])
  })

  it('rejects only the call whose key function throws', async () => {
    const error = new Error('thrown by a function of the user')
    let isBad = true
    const { f: inner, clock, server } = start()
    const f = wrap(inner, ({ url }) => {
      if (isBad) throw error
      return url
    })
    const bad = watch(f(A), clock)
    isBad = false
    const [good] = await play({ f, clock }, '/ +10')
    expect([bad.error, endOf(good!), server.calls]).toEqual([error, '200@10', 1])
  })

  it.each([0, 5])('aborts with the reason of the caller, in the same tick (after %i ms)', async (ms) => {
    const { f: inner, clock } = start({ concurrency: 1 })
    const wrapped = { f: wrap(inner, byUrl), clock }
    if (ms === 0) callAll(wrapped, ['/first'])
    const call = callAbortably(wrapped)
    await clock.advanceAsync(ms)
    call.abort()
    await tick()
    expect(call.outcome).toMatchObject({ state: 'rejected', at: ms, error: call.reason })
  })

  it("rejects with an AbortError for an abort of React Native's signal, before the call or later", async () => {
    stubNative()
    const { clock } = start()
    const f = wrap(() => new Promise(() => undefined), byUrl)
    const [before, later] = [new AbortController(), new AbortController()]
    before.abort()
    const calls = [before, later].map(({ signal }) => watch(f(`${A}/`, { signal }), clock))
    await tick()
    expect(statesOf(calls)).toEqual(['rejected', 'pending'])
    later.abort()
    await tick()
    expect(calls.map(({ error }) => (error as Error).name)).toEqual(['AbortError', 'AbortError'])
  })

  it("uses a Request's signal unless init has one, without keeping the Request", async () => {
    const { f: inner, clock } = start()
    const f = wrap(inner, byUrl)
    const [own, other] = [new AbortController(), new AbortController()]
    const outcomes = [undefined, { signal: other.signal }, { signal: null }].map((init, index) =>
      watch(f(new Request(`${A}/${index}`, { signal: own.signal }), init), clock),
    )
    await collect(undefined, 3)
    own.abort()
    await tick()
    expect(statesOf(outcomes)).toEqual(['rejected', 'pending', 'pending'])
    other.abort()
    await clock.advanceAsync(10)
    expect(statesOf(outcomes)).toEqual(['rejected', 'rejected', 'resolved'])
    expect(outcomes.map(({ error }) => error)).toEqual([own.signal.reason, other.signal.reason, undefined])
  })

  it.each([
    ['without a body', null],
    ['with an unread body', 'x'.repeat(10)],
  ])('leaves no listener on a long-lived signal after 1000 calls %s', async (_, body) => {
    const { signal } = new AbortController()
    // A kept error, as in the events, keeps the stack objects of its creation.
    const started = start({ maxRetries: 0, concurrency: 2, onEvent: undefined }, (__, index) =>
      index % 3 === 1 ? networkError() : { status: index % 3 === 2 ? 404 : 200, body },
    )
    const f = wrap(started.f, byUrl)
    let settled = 0
    const count = (): number => settled++
    for (let round = 0; round < 100; round++) {
      // Two calls with one URL are shared, or the older is superseded.
      for (let call = 0; call < 10; call++)
        f(`${A}/${round}/${Math.max(call, 1)}`, { signal }).then(count, count)
      await started.clock.advanceAsync(50)
    }
    expect(settled).toBe(1000)
    // The server keeps its requests, and a Request listens to its signal.
    started.server.forget()
    // The rest belongs to unreachable Requests and bodies, and goes with them.
    await collect(() => getEventListeners(signal, 'abort').length === 0)
    expect([name, getEventListeners(signal, 'abort')]).toEqual([name, []])
  })
})
