import { createRateLimitedFetch, holdSlot, untilBodyRead } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { isOver } from '../fixtures/open-body.ts'
import { exposed, ok, script } from './script-server.ts'
import { startReal } from '../servers/start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

const refusal = { status: 429, headers: exposed({ 'Retry-After': '2' }) }

const requests = async ({ log }: Awaited<ReturnType<typeof script>>) =>
  (await log()).filter(({ method }) => method !== 'OPTIONS')

describe('in a browser, called in any way', () => {
  it.each<[string, (f: typeof fetch, url: string) => Promise<Response>]>([
    ['by itself', (f, url) => f(url)],
    ['with undefined', (f, url) => f.call(undefined, url)],
    ['as a member of an object', (f, url) => ({ f }).f(url)],
    ['detached from an object', (f, url) => (({ fetch }) => fetch(url))({ fetch: f })],
  ])('sends without an illegal invocation: %s', async (_, call) => {
    const place = await script(0, [ok])
    expect((await call(createRateLimitedFetch(), place.url)).status).toBe(200)
    expect((await call(createRateLimitedFetch({ fetch }), place.url)).status).toBe(200)
    expect(await place.log()).toHaveLength(2)
  })

  it('resolves a relative URL against the page, and sends URLs without a server past all limits', async () => {
    const { f } = startReal()
    expect((await f('/?query')).url).toBe(`${location.origin}/?query`)
    expect(Object.keys(f.snapshot().buckets)).toEqual([location.origin])
    f.pause()
    const blob = URL.createObjectURL(new Blob(['text']))
    expect(await (await f(blob)).text()).toBe('text')
    expect(await (await f('data:,text')).text()).toBe('text')
    URL.revokeObjectURL(blob)
  })
})

describe('in a browser, a body', () => {
  it.each<[string, () => BodyInit]>([
    [
      'FormData',
      () => {
        const form = new FormData()
        form.set('field', 'välue')
        form.set('file', new Blob(['file']), 'file.bin')
        return form
      },
    ],
    ['a Blob', () => new Blob(['blob'], { type: 'text/own' })],
    ['URLSearchParams', () => new URLSearchParams({ a: 'b c' })],
    ['a string', () => 'grüße'],
  ])('has the same bytes and type on every attempt: %s', async (_, body) => {
    const place = await script(0, [refusal, { status: 500 }, ok])
    const { f, settle } = startReal()
    expect((await settle(f(place.url, { method: 'PUT', body: body() }))).status).toBe(200)
    const sent = (await requests(place)).map((request) => [request.body, request.headers['content-type']])
    expect(sent).toHaveLength(3)
    expect(sent[0]![0]).not.toBe('')
    for (const one of sent) expect(one).toEqual(sent[0])
  })

  it('that is a stream is tried once', async () => {
    // Browsers reject a streamed body over HTTP/1.1.
    const place = await script(0, [ok])
    const { f, events } = startReal()
    const init = { method: 'PUT', body: new Blob(['text']).stream(), duplex: 'half' }
    await expect(f(place.url, init)).rejects.toThrow(TypeError)
    expect(events.filter(({ type }) => type === 'dispatch')).toHaveLength(1)
    expect(await requests(place)).toEqual([])
  })
})

it('in a browser, an abort in flight rejects in its own tick, with its own reason', async () => {
  const place = await script(0, [{ status: 200, isHeld: true }])
  const { f } = startReal()
  const controller = new AbortController()
  const seen = vi.fn()
  f(place.url, { signal: controller.signal }).catch(seen)
  await vi.waitFor(async () => expect(await place.log()).toHaveLength(1))
  const reason = { of: 'the caller' }
  controller.abort(reason)
  // Runs continuations only: no task can run in between.
  for (let continuation = 0; continuation < 20; continuation++) await Promise.resolve()
  expect(seen.mock.calls).toEqual([[reason]])
  expect(f.snapshot(place.origin)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 0 })
})

it('in a browser, a real response holds its slot until its body is read', async () => {
  const answer = { status: 200, headers: exposed({}), body: 'content' }
  const place = await script(0, [answer, answer])
  const f = createRateLimitedFetch({ concurrency: 1, policies: [holdSlot(untilBodyRead)] })
  const response = await f(`${place.url}1`)
  const second = f(`${place.url}2`)
  expect(await isOver(second.then(() => undefined))).toBe(false)
  expect(f.snapshot(place.origin)).toMatchObject({ queued: 1, inFlight: 0 })
  expect(await response.text()).toBe('content')
  await (await second).body!.cancel()
  expect(await place.log()).toHaveLength(2)
})
