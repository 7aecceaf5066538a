import { dedupeFetch, supersedeFetch } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { networkError } from '../fixtures/fake-server.ts'
import { A, callAll, endOf, play, start, statesOf } from '../fixtures/start.ts'
import { createStreamingFetch } from '../fixtures/wrapped.ts'

/** Like `start`, with `f` wrapped. All calls but `/free` share a key. */
function startSuperseding(options: Parameters<typeof start>[0] = {}, answers?: Parameters<typeof start>[1]) {
  const started = start(options, answers)
  return { ...started, f: supersedeFetch(started.f, { key: keyOf }) }
}

const keyOf = ({ url }: Request): string | null => (new URL(url).pathname === '/free' ? null : 'key')

const superseded = { name: 'AbortError', cause: 'superseded' }

describe('a newer call replaces the older one', () => {
  it('in flight', async () => {
    const started = startSuperseding()
    const [older, newer] = await play(started, '/1 +5 /2 +10')
    expect([older, newer].map((call) => endOf(call!))).toEqual(['AbortError@5', '200@15'])
    expect(older!.error).toBeInstanceOf(DOMException)
    expect(older!.error).toMatchObject({ ...superseded, message: 'Superseded by a newer call' })
    const [first, second] = started.server.requests
    expect(first!.request.signal.reason).toBe(older!.error)
    expect(second!.request.signal.aborted).toBe(false)
  })

  it('being read', async () => {
    const f = supersedeFetch(createStreamingFetch().fetch)
    const text = (await f(A)).text()
    expect(await f(A)).toMatchObject({ status: 200 })
    await expect(text).rejects.toMatchObject(superseded)
  })

  it('also the one that has replaced another', async () => {
    const started = startSuperseding()
    const calls = await play(started, '/1 /2 +5 /3 +10')
    expect(statesOf(calls)).toEqual(['rejected', 'rejected', 'resolved'])
  })

  it('even if the inner fetch ignores its signal: the body of a late response is cancelled', async () => {
    const cancel = vi.fn()
    const bodies = [new ReadableStream({ cancel }), 'new']
    const { server, clock } = start(
      {},
      bodies.map((body, index) => ({ status: 200, body, latencyMs: 20 - index })),
    )
    const f = supersedeFetch((input) => server.fetch(input), { key: keyOf })
    const [older, newer] = callAll({ f, clock }, ['/1', '/2'])
    await clock.advanceAsync(20)
    expect(older).toMatchObject({ error: superseded, at: 0 })
    expect(await newer!.response!.text()).toBe('new')
    expect(cancel).toHaveBeenCalledOnce()
  })
})

describe('superseded calls', () => {
  it('are none with the key null', async () => {
    const started = startSuperseding()
    const outcomes = await play(started, '/free /free /1 /free +10')
    expect(statesOf(outcomes)).toEqual(Array(4).fill('resolved'))
  })

  it('do not include a settled call', async () => {
    const started = startSuperseding({ maxRetries: 0 }, [204, networkError()])
    const calls = await play(started, '/ +10 / +10 / +10')
    expect(statesOf(calls)).toEqual(['resolved', 'rejected', 'resolved'])
    for (const { request } of started.server.requests) expect(request.signal.aborted).toBe(false)
  })
})

it('passes on what init has beside a Request', async () => {
  const inner = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(new Response()))
  const init = { next: { revalidate: 1 } } as RequestInit
  await supersedeFetch(inner)(new Request(A), init)
  expect(inner.mock.calls[0]![1]).toMatchObject(init)
})

it('with dedupeFetch it keeps a shared request for the other callers when one is superseded', async () => {
  const { f, clock, server } = start({}, [{ status: 200, body: 'shared' }])
  const shared = dedupeFetch(f)
  const calls = callAll({ f: shared, clock }, ['/a'])
  calls.push(...callAll({ f: supersedeFetch(shared, { key: keyOf }), clock }, ['/a', '/b']))
  await clock.advanceAsync(10)
  expect(statesOf(calls)).toEqual(['resolved', 'rejected', 'resolved'])
  expect(await calls[0]!.response!.text()).toBe('shared')
  expect(server.paths()).toEqual(['/a', '/b'])
})
