// HTTP clients that take a `fetch`, with their own retries turned off.
import ky from 'ky'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { json, tooMany } from '../fetch/fixtures/fake-server.ts'
import { A, start, watch } from '../fetch/fixtures/start.ts'

interface Client {
  read: (signal?: AbortSignal) => Promise<unknown>
  write: () => Promise<unknown>
  /** The rejection for a 429, and for an abort. */
  refused: object
  aborted: object
}

const clients: Record<string, (fetch: typeof globalThis.fetch) => Client> = {
  ky(fetch) {
    const api = ky.create({ fetch, prefixUrl: `${A}/v1`, retry: 0 })
    return {
      read: (signal) => api.get('models', signal ? { signal } : {}).json(),
      write: () =>
        api.post('chat', { json: { model: 'any' }, headers: { authorization: 'Bearer key' } }).json(),
      refused: { name: 'HTTPError', response: { status: 429 } },
      aborted: { message: 'mine' },
    }
  },
  // The client calls `fetch.call(undefined, …)`.
  openai(fetch) {
    const client = new OpenAI({ apiKey: 'key', baseURL: `${A}/v1`, fetch, maxRetries: 0 })
    return {
      read: async (signal) => ({ data: (await client.models.list(signal ? { signal } : {})).data }),
      write: () => client.post('/chat', { body: { model: 'any' } }),
      refused: { constructor: OpenAI.RateLimitError },
      aborted: { constructor: OpenAI.APIUserAbortError },
    }
  },
}

describe.each(Object.entries(clients))('%s', (_, make) => {
  const data = { data: [{ id: 'one' }] }

  it('retries a refused request after the pause, before the calls made during the pause', async () => {
    const { f, server, clock } = start({}, [tooMany(2), json(data), json(data)])
    const client = make(f)
    const calls = [client.read()]
    await clock.advanceAsync(10)
    calls.push(client.write())
    await clock.advanceAsync(10_000)
    expect(await Promise.all(calls)).toEqual([data, data])
    expect([server.paths(), server.at()]).toEqual([
      ['/v1/models', '/v1/models', '/v1/chat'],
      [0, 2010, 2020],
    ])
  })

  it('keeps the request unchanged, and retries a refused POST only if configured', async () => {
    for (const retryNonIdempotent of [true, false]) {
      const { f, server, clock } = start({ retryNonIdempotent }, [tooMany(2), json(data)])
      const client = make(f)
      const call = client.write().catch((error: unknown) => error)
      await clock.advanceAsync(2020)
      if (retryNonIdempotent) expect(await call).toEqual(data)
      else expect(await call).toMatchObject(client.refused)
      expect(server.requests).toHaveLength(retryNonIdempotent ? 2 : 1)
      for (const { body, ...request } of server.requests) {
        const headers = { authorization: 'Bearer key' }
        expect(request).toMatchObject({ method: 'POST', url: `${A}/v1/chat`, headers })
        expect(new TextDecoder().decode(await body)).toBe('{"model":"any"}')
      }
    }
  })

  it('removes an aborted request from the queue and sends nothing', async () => {
    const { f, server, clock } = start()
    f.pause()
    const controller = new AbortController()
    const client = make(f)
    const call = watch(client.read(controller.signal) as Promise<Response>, clock)
    await clock.advanceAsync(0)
    expect(f.snapshot(A)?.queued).toBe(1)
    controller.abort(new Error('mine'))
    await clock.advanceAsync(0)
    expect(call.error).toMatchObject(client.aborted)
    expect([f.snapshot(A)?.queued, server.calls]).toEqual([0, 0])
  })
})
