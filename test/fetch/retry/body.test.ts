import type { RateLimitedFetch, RateLimitedFetchOptions } from 'lull/fetch'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tooMany, type FakeServer } from '../fixtures/fake-server.ts'
import { A, start, tick, watch } from '../fixtures/start.ts'

afterEach(() => vi.restoreAllMocks())

const text = 'grüße \0 ' + 'x'.repeat(10_000)
const bytes = new Uint8Array(5000).map((_, index) => index % 251)

function formData(): FormData {
  const form = new FormData()
  form.set('field', text)
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'file.png')
  return form
}

/** The bodies received, and their types. */
async function received(server: FakeServer): Promise<{ type: string | undefined; body: Uint8Array }[]> {
  return Promise.all(
    server.requests.map(async ({ headers, body }) => ({ type: headers['content-type'], body: await body })),
  )
}

function spyOnClone(): () => number {
  const clone = vi.spyOn(Request.prototype, 'clone')
  return () => clone.mock.calls.length
}

describe('R99 bodies that are sent again', () => {
  it.each<[string, () => BodyInit]>([
    ['string', () => text],
    ['URLSearchParams', () => new URLSearchParams({ a: text, b: '' })],
    ['ArrayBuffer', () => bytes.slice().buffer],
    ['Uint8Array of a part', () => bytes.subarray(10, 20)],
    ['DataView', () => new DataView(bytes.slice().buffer, 1)],
    ['Blob', () => new Blob([bytes, text], { type: 'text/x' })],
    ['FormData', formData],
    ['empty string', () => ''],
  ])('R99 a %s is the same bytes and the same type on every attempt', async (_, make) => {
    const { f, server, clock } = start({ random: () => 0.5 }, [500, tooMany(1), 200])
    const call = f(`${A}/`, { method: 'PUT', body: make() })
    await clock.advanceAsync(10 + 250 + 10 + 1050 + 10)
    expect((await call).status).toBe(200)
    const [first, ...others] = await received(server)
    expect(others).toEqual([first, first])

    const expected = new Request(A, { method: 'PUT', body: make() })
    const type = expected.headers.get('content-type') ?? undefined
    const expectedBytes = new Uint8Array(await expected.arrayBuffer())
    if (make() instanceof FormData) {
      // The boundary is another one for each request that is made; the rest is as long.
      const boundary = first!.type!.split('boundary=')[1]!
      expect(Buffer.from(first!.body).toString('latin1').split(`--${boundary}`)).toHaveLength(4)
      expect(first!.body).toHaveLength(expectedBytes.length)
    } else {
      expect(first).toEqual({ type, body: expectedBytes })
    }
  })

  it('R99 the body of a Request is the same on every attempt', async () => {
    const { f, server, clock } = start({}, [500, 500, 200])
    const call = f(new Request(`${A}/`, { method: 'PUT', body: formData() }))
    await clock.advanceAsync(30)
    await call
    const [first, ...others] = await received(server)
    expect(others).toEqual([first, first])
  })

  it.each<[string, RateLimitedFetchOptions]>([
    ['retryNonIdempotent', { retryNonIdempotent: true }],
    ['retryNonIdempotent that is asked', { retryNonIdempotent: () => true }],
    ['shouldRetry', { shouldRetry: () => true }],
  ])('R99 the body of a POST is the same after a throttle, with %s', async (_, options) => {
    for (const init of [{ body: text }, undefined]) {
      const { f, server, clock } = start(options, [tooMany(1)])
      const input = init ? `${A}/` : new Request(`${A}/`, { method: 'POST', body: text })
      const call = f(input, init && { ...init, method: 'POST' })
      await clock.advanceAsync(5000)
      expect((await call).status).toBe(200)
      const bodies = (await received(server)).map(({ body }) => Buffer.from(body).toString())
      expect(bodies).toEqual([text, text])
    }
  })

  it('R99 the body of a POST with an Idempotency-Key is the same after a throttle', async () => {
    const { f, server, clock } = start({}, [tooMany(1), tooMany(1)])
    const call = f(`${A}/`, { method: 'POST', body: text, headers: { 'idempotency-key': '1' } })
    await clock.advanceAsync(5000)
    await call
    const [first, ...others] = await received(server)
    expect(others).toEqual([first, first])
    expect(Buffer.from(first!.body).toString()).toBe(text)
  })
})

describe('R95 to R97 copies', () => {
  it.each<[string, (f: RateLimitedFetch) => Promise<Response>]>([
    ['a POST', (f) => f(`${A}/`, { method: 'POST', body: text })],
    ['a Request to POST', (f) => f(new Request(`${A}/`, { method: 'POST', body: text }))],
    ['a form to PATCH', (f) => f(`${A}/`, { method: 'PATCH', body: formData() })],
    ['a GET, which has no body', (f) => f(new Request(`${A}/`))],
    [
      'a stream',
      (f) => f(`${A}/`, { method: 'PUT', body: new Blob([text]).stream(), duplex: 'half' } as RequestInit),
    ],
  ])('R95 none is made of a request that cannot be sent again: %s', async (_, callWith) => {
    const copies = spyOnClone()
    const { f, clock } = start({}, [200])
    const call = callWith(f)
    await clock.advanceAsync(10)
    await call
    expect(copies()).toBe(0)
  })

  it('R96 one is made for each attempt but the last', async () => {
    const copies = spyOnClone()
    const { f, clock } = start({}, () => 500)
    const call = f(new Request(`${A}/`, { method: 'PUT', body: text }))
    expect(copies()).toBe(1)
    await clock.advanceAsync(10)
    expect(copies()).toBe(2)
    await clock.advanceAsync(20)
    await call
    expect(copies()).toBe(2)
  })

  it.each(['queued', 'refused'])(
    'R96 the body of a call that is never sent is cancelled: %s',
    async (how) => {
      const { f, server, clock } = start({ maxQueue: how === 'refused' ? 0 : 1 })
      const cancel = vi.fn()
      const controller = new AbortController()
      f.pause()
      const call = watch(
        f(`${A}/`, {
          method: 'PUT',
          body: new ReadableStream({ cancel }),
          duplex: 'half',
          signal: controller.signal,
        } as RequestInit),
        clock,
      )
      controller.abort()
      await clock.advanceAsync(0)
      expect(call.state).toBe('rejected')
      expect(cancel).toHaveBeenCalledTimes(1)
      expect(server.calls).toBe(0)
    },
  )

  it("R97 the caller's Request is used from the call on, as with the native fetch", async () => {
    for (const isPaused of [false, true]) {
      const { f, clock } = start()
      if (isPaused) f.pause()
      const request = new Request(`${A}/`, { method: 'PUT', body: text })
      const call = f(request)
      expect(request.bodyUsed).toBe(true)
      const second = watch(f(request), clock)
      await tick()
      expect(second.error).toBeInstanceOf(TypeError)
      f.resume()
      await clock.advanceAsync(10)
      await call
    }
  })
})

function streamOf(parts: string[]): { body: ReadableStream; pulls: () => number } {
  let pulls = 0
  const encoder = new TextEncoder()
  const body = new ReadableStream(
    {
      pull(controller) {
        const part = parts[pulls++]
        if (part === undefined) controller.close()
        else controller.enqueue(encoder.encode(part))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, pulls: () => pulls }
}

describe('R98 to R101 bodies that cannot be sent again', () => {
  it.each([
    ['500', 500],
    ['429', tooMany(1)],
    ['503 with a time', { status: 503, headers: { 'retry-after': '1' } }],
  ] as const)('R98 a stream is sent once: a %s is returned', async (_, answer) => {
    const { f, server, clock, events } = start({}, [answer])
    const { body } = streamOf(['a', 'b'])
    const call = watch(f(`${A}/`, { method: 'PUT', body, duplex: 'half' } as RequestInit), clock)
    await clock.advanceAsync(5000)
    expect(call).toMatchObject({ state: 'resolved', at: 10 })
    expect(server.requests).toHaveLength(1)
    expect(Buffer.from(await server.requests[0]!.body).toString()).toBe('ab')
    expect(events.at(-1)).toMatchObject({ reason: 'body' })
  })

  it('R98 a stream may wait, and is not read while it does', async () => {
    const { f, server, clock } = start()
    const { body, pulls } = streamOf(['a', 'b'])
    f.pause()
    const call = f(`${A}/`, { method: 'PUT', body, duplex: 'half' } as RequestInit)
    await clock.advanceAsync(1000)
    expect(pulls()).toBe(0)
    f.resume()
    await clock.advanceAsync(10)
    expect((await call).status).toBe(200)
    expect(Buffer.from(await server.requests[0]!.body).toString()).toBe('ab')
  })

  it('R100 an error of the body rejects with that error, and nothing is sent again', async () => {
    const error = new TypeError('of the body')
    const body = new ReadableStream({ pull: (controller) => controller.error(error) }, { highWaterMark: 0 })
    let calls = 0
    const { f, clock } = start({
      async fetch(input) {
        calls++
        await (input as Request).arrayBuffer()
        return new Response()
      },
    })
    const call = watch(f(`${A}/`, { method: 'PUT', body, duplex: 'half' } as RequestInit), clock)
    await clock.advanceAsync(5000)
    expect(call.error).toBe(error)
    expect(calls).toBe(1)
  })

  it('R101 a body that somebody has read ends the repeats: what there is comes out', async () => {
    const { f, server, clock } = start(
      {
        retryNonIdempotent(request) {
          void request.text()
          return true
        },
      },
      [tooMany(1)],
    )
    const call = watch(f(new Request(`${A}/`, { method: 'POST', body: text })), clock)
    await clock.advanceAsync(10_000)
    expect(call).toMatchObject({ state: 'resolved', response: { status: 429 } })
    expect(server.requests).toHaveLength(1)
  })

  it('R101 a body that was given away is not sent again when the options have changed meanwhile', async () => {
    const { f, server, clock } = start({}, [tooMany(1)])
    const call = watch(f(new Request(`${A}/`, { method: 'POST', body: text })), clock)
    f.configure({ retryNonIdempotent: true })
    await clock.advanceAsync(10_000)
    expect(call).toMatchObject({ state: 'resolved', response: { status: 429 } })
    expect(server.requests).toHaveLength(1)
  })
})
