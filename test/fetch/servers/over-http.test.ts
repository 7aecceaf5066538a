import { describe, expect, it, vi } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { listen, reply, type Reply } from './loopback.ts'
import { startReal } from './start-real.ts'
import { once } from 'node:events'

vi.setConfig({ testTimeout: 10_000 })

it.each<[string, string | undefined]>([
  ['with no time', undefined],
  ['0', '0'],
  ['words', 'soon'],
  ['1970', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['8 KB of tabs', `${'\t'.repeat(8000)}0`],
])(
  'a server that always refuses gets three requests per call, after pauses that double: %s',
  async (_, value) => {
    const { origin, arrived } = await listen(() => tooMany(value))
    const { f, settle, sentAt } = startReal()
    const calls = [f(`${origin}/1`), f(`${origin}/2`)]
    const responses = await settle(Promise.all(calls))
    expect(responses.map(({ status }) => status)).toEqual([429, 429])
    expect(arrived).toHaveLength(6)
    expect(sentAt()).toEqual([0, 0, 500, 1500, 3500, 7500])
  },
)

describe('a server that sends invalid fields', () => {
  it.each<[string, Record<string, string>]>([
    ['a megabyte of a header', { 'X-Padding': 'x'.repeat(1_000_000), 'Retry-After': '60' }],
    ['a megabyte of Retry-After', { 'Retry-After': '6'.repeat(1_000_000) }],
    ['20,000 policies', { 'RateLimit-Policy': Array(20_000).fill('"a";q=1;w=1').join(', ') }],
  ])('%s is a network error and starts no cooldown', async (_, headers) => {
    const { origin, arrived } = await listen(() => reply(429, headers))
    const { f, settle } = startReal()
    await expect(settle(f(`${origin}/`))).rejects.toThrow(TypeError)
    expect(arrived).toHaveLength(3)
    expect(f.snapshot(origin)?.gate.open).toBe(true)
  })

  it('makes the platform follow endless redirects to its limit, on each of three attempts', async () => {
    const { origin, arrived } = await listen((_, index) => reply(302, { Location: `/${index}` }))
    await expect(fetch(`${origin}/`)).rejects.toThrow(TypeError)
    const native = arrived.length
    const { f, settle } = startReal()
    await expect(settle(f(`${origin}/`))).rejects.toThrow(TypeError)
    expect(arrived).toHaveLength(native * 4)
    expect(f.snapshot(origin)?.gate.open).toBe(true)
  })
})

/** The end of this tick: all continuations have run, and no new event has arrived. */
const endOfTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

describe('over HTTP, an abort rejects in the same tick with its own reason', () => {
  const reason = { of: 'the caller' }

  /** Aborts the call, and returns its state at the end of the tick. */
  async function abort(call: Promise<unknown>, controller: AbortController): Promise<unknown> {
    const seen = vi.fn()
    call.catch(seen)
    await endOfTick()
    expect(seen).not.toHaveBeenCalled()
    controller.abort(reason)
    await endOfTick()
    expect(seen).toHaveBeenCalledOnce()
    return seen.mock.calls[0]![0]
  }

  it('in flight, and the connection is closed', async () => {
    const { origin, arrived } = await listen(() => undefined)
    const { f } = startReal()
    const controller = new AbortController()
    const call = f(new Request(`${origin}/`, { signal: controller.signal }))
    await vi.waitFor(() => expect(arrived).toHaveLength(1))
    const closed = once(arrived[0]!.response, 'close')
    expect(await abort(call, controller)).toBe(reason)
    await closed
    expect(f.snapshot(origin)).toMatchObject({ inFlight: 0, sleeping: 0 })
    expect(arrived).toHaveLength(1)
  })

  it('while the body is read; the reading rejects', async () => {
    const { origin } = await listen(({ response }) => {
      response.writeHead(200).write('a beginning')
      return undefined
    })
    const { f, events } = startReal()
    const controller = new AbortController()
    const response = await f(`${origin}/`, { signal: controller.signal })
    expect(await abort(response.text(), controller)).toBe(reason)
    expect(events.filter(({ type }) => type === 'abort')).toEqual([])
  })
})

/** A server that redirects `/moved` to the other origin, and responds 200 to all else. */
async function startTwo(status: number, answerOfB: (index: number) => Reply) {
  const b = await listen((_, index) => answerOfB(index))
  const a = await listen(({ path }) =>
    path === '/moved' ? reply(status, { Location: `${b.origin}/here` }) : 200,
  )
  return { ...startReal(), a, b }
}

const refuseFirst = (index: number): Reply => (index === 0 ? tooMany(2) : 200)

it.each([302, 307])(
  'over HTTP, a redirect with %s to a refusing origin starts a cooldown for that origin only, and sends it no credentials on any attempt',
  async (status) => {
    const { f, clock, a, b, happens, settle } = await startTwo(status, refuseFirst)
    const headers = { Authorization: 'Bearer secret', Cookie: 'id=secret', 'X-Own': 'kept' }
    const moved = f(`${a.origin}/moved`, { headers })
    await happens('gate-closed')
    expect(f.snapshot(b.origin)?.gate).toMatchObject({ open: false, until: 2000 })
    expect(f.snapshot(a.origin)?.gate.open).toBe(true)

    // The redirecting origin continues without a window; new calls to the refusing one wait.
    expect((await f(`${a.origin}/other`)).status).toBe(200)
    expect(f.snapshot(a.origin)?.window).toBeGreaterThan(1)
    const late = f(`${b.origin}/late`)
    expect(clock.now()).toBe(0)
    expect(b.paths()).toEqual(['/here'])

    const responses = await settle(Promise.all([moved, late]))
    expect(responses.map((response) => response.status)).toEqual([200, 200])
    const sent = a.arrived.filter(({ path }) => path === '/moved')
    expect(sent.map((request) => request.headers.authorization)).toEqual(Array(2).fill('Bearer secret'))
    const received = b.arrived.filter(({ path }) => path === '/here')
    expect(received.map((request) => request.headers['x-own'])).toEqual(['kept', 'kept'])
    for (const request of received) expect(request.headers).not.toHaveProperty('authorization')
    for (const request of received) expect(request.headers).not.toHaveProperty('cookie')
  },
)

it('over HTTP, redirects reject a streamed body that would have to be resent, without a retry', async () => {
  const { f, a, b } = await startTwo(307, refuseFirst)
  const init = { method: 'PUT', body: new Blob(['streamed']).stream(), duplex: 'half' }
  await expect(f(`${a.origin}/moved`, init)).rejects.toThrow(TypeError)
  expect(a.arrived).toHaveLength(1)
  expect(b.arrived).toHaveLength(0)
})
