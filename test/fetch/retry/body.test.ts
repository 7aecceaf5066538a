import { Readable } from 'node:stream'
import type { RateLimitedFetch, RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { A, answersOf, endOf, play, run, start, tick, watch, type Started } from '../fixtures/start.ts'

const text = 'grüße \0 ' + 'x'.repeat(10_000)
const bytes = new Uint8Array(5000).map((_, index) => index % 251)
const put = (body: BodyInit): RequestInit => ({ method: 'PUT', body })
const stream = (body: ReadableStream) => ({ ...put(body), duplex: 'half' })

function formData(): FormData {
  const form = new FormData()
  form.set('field', text)
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'file.png')
  return form
}

const received = ({ requests }: Started['server']) =>
  Promise.all(
    requests.map(async ({ headers, body }) => ({ type: headers['content-type'], body: await body })),
  )
const texts = async (server: Started['server']) =>
  (await received(server)).map(({ body }) => new TextDecoder().decode(body))

const bodies: [string, () => BodyInit][] = [
  ['string', () => text],
  ['URLSearchParams', () => new URLSearchParams({ a: text, b: '' })],
  ['ArrayBuffer', () => bytes.slice().buffer],
  ['Uint8Array of a part', () => bytes.subarray(10, 20)],
  ['DataView', () => new DataView(bytes.slice().buffer, 1)],
  ['Blob', () => new Blob([bytes, text], { type: 'text/x' })],
  ['FormData', formData],
  ['empty string', () => ''],
]
it.each(bodies)('a replayable body has the same bytes and type on every attempt: %s', async (_, make) => {
  for (const isRequest of [false, true]) {
    const { f, server, clock } = start({ random: () => 0.5 }, answersOf('500 429/1 200'))
    const call = isRequest ? f(new Request(A, put(make()))) : f(A, put(make()))
    await clock.advanceAsync(5000)
    expect((await call).status).toBe(200)
    const [first, ...others] = await received(server)
    expect(others).toEqual([first, first])
    const expected = new Request(A, put(make()))
    const body = new Uint8Array(await expected.arrayBuffer())
    // The form boundary differs for each request; the rest has equal length.
    if (!(make() instanceof FormData))
      expect(first).toEqual({ type: expected.headers.get('content-type') ?? undefined, body })
    else {
      const boundary = first!.type!.split('boundary=')[1]!
      expect(Buffer.from(first!.body).toString('latin1').split(`--${boundary}`)).toHaveLength(4)
      expect(first!.body).toHaveLength(body.length)
    }
  }
})

describe('copies', () => {
  const once: [string, (f: RateLimitedFetch) => Promise<Response>][] = [
    ['a POST', (f) => f(A, { method: 'POST', body: text })],
    ['a Request to POST', (f) => f(new Request(A, { method: 'POST', body: text }))],
    ['a form to PATCH', (f) => f(A, { method: 'PATCH', body: formData() })],
    ['a GET, which has no body', (f) => f(new Request(A))],
    ['a stream', (f) => f(A, stream(new Blob([text]).stream()))],
    [
      'a PUT with its own `maxRetries: 0`',
      (f) => f(new Request(A, put(text)), { rateLimit: { maxRetries: 0 } }),
    ],
    ['a Request to PUT with keepalive', (f) => f(new Request(A, { ...put(text), keepalive: true }))],
  ]
  it.each(once)('are not made for a request that cannot be retried: %s', async (_, call) => {
    const clone = vi.spyOn(Request.prototype, 'clone')
    const { f, clock } = start()
    void call(f)
    await clock.advanceAsync(10)
    expect(clone).not.toHaveBeenCalled()
  })

  it("leave the caller's Request used from the call on, as with the native fetch", async () => {
    for (const isPaused of [false, true]) {
      const { f, clock } = start()
      if (isPaused) f.pause()
      const request = new Request(A, put(text))
      void f(request)
      expect(request.bodyUsed).toBe(true)
      const second = watch(f(request), clock)
      await tick()
      expect(second.error).toBeInstanceOf(TypeError)
      f.resume()
      await clock.advanceAsync(10)
    }
  })

  it.each([1, 0])('cancel the body of a call that is never sent: with room for %i', async (maxQueue) => {
    const started = start({ maxQueue })
    const cancel = vi.fn()
    const [call] = await play(started, 'pause / abort +0', stream(new ReadableStream({ cancel })))
    expect([call!.state, cancel.mock.calls.length, started.server.calls]).toEqual(['rejected', 1, 0])
  })
})

describe('a body that cannot be replayed', () => {
  it.each<[string, answers: string, unknown, sent?: string]>([
    ['a stream', '500', new Blob(['ab']).stream(), 'ab'],
    ['a stream', '429/1', new Blob(['ab']).stream(), 'ab'],
    ['a stream', '503/1', new Blob(['ab']).stream(), 'ab'],
    ['any async iterable', '500', Readable.from([Buffer.from('a'), Buffer.from('b')]), 'ab'],
    ['a stream of a page of Safari, which cannot be iterated', '500', { getReader: () => undefined }],
    ['a stream of an old library of Node', '500', { pipe: () => undefined }],
  ])('may be %s; its one outcome is returned: %s', async (_, answers, body, sent) => {
    const init = stream(body as ReadableStream)
    const { server, ends, events } = await run({ calls: '/', answers, init })
    expect(ends).toBe(`${answers.slice(0, 3)}@10`)
    if (sent) expect(await texts(server)).toEqual([sent])
    expect(events.at(-1)).toMatchObject({ reason: 'body' })
  })

  it.each<[string, RateLimitedFetchOptions, (f: RateLimitedFetch) => void]>([
    [
      'is read by a user function',
      { retryNonIdempotent: (request) => (void request.text(), true) },
      () => undefined,
    ],
    ['was given away before the options changed', {}, (f) => f.configure({ retryNonIdempotent: true })],
  ])('%s: the outcome is returned', async (_, options, act) => {
    const { f, server, clock } = start(options, answersOf('429/1'))
    const call = watch(f(new Request(A, { method: 'POST', body: text })), clock)
    act(f)
    await clock.advanceAsync(10_000)
    expect([endOf(call).slice(0, 3), server.calls]).toEqual(['429', 1])
  })
})
