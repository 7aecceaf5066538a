import { describe, expect, it, vi } from 'vitest'
import { listen, reply, tooMany, type Reply, type Loopback } from './loopback.ts'
import { startReal, type StartedReal } from './start-real.ts'
import { once } from 'node:events'

vi.setConfig({ testTimeout: 10_000 })

/** The end of this tick: all continuations have run, and no new event has arrived. */
const endOfTick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** Never responds; `arrived` shows the requests. */
const silence = (): Reply => undefined

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
    const { origin, arrived } = await listen(silence)
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

interface TwoOrigins extends StartedReal {
  /** Redirects `/moved` to the other origin, and responds 200 to all else. */
  a: Loopback
  b: Loopback
}

async function startTwo(status: number, answerOfB: (index: number) => Reply): Promise<TwoOrigins> {
  const b = await listen((_, index) => answerOfB(index))
  const a = await listen(({ path }) =>
    path === '/moved' ? reply(status, { Location: `${b.origin}/here` }) : 200,
  )
  return { ...startReal(), a, b }
}

const refuseFirst = (index: number): Reply => (index === 0 ? tooMany(2) : 200)

describe.each([302, 307])('over HTTP, a redirect with %s to a refusing origin', (status) => {
  it('starts a cooldown for that origin only', async () => {
    const { f, clock, a, b, events, happens, settle } = await startTwo(status, refuseFirst)
    const moved = f(`${a.origin}/moved`)
    await happens('gate-closed')
    expect(events.filter(({ type }) => type === 'gate-closed')).toMatchObject([
      { key: b.origin, until: 2000 },
    ])
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
  })

  it('carries no credentials on any attempt', async () => {
    const { f, a, b, settle } = await startTwo(status, refuseFirst)
    const headers = { Authorization: 'Bearer secret', Cookie: 'id=secret', 'X-Own': 'kept' }
    await settle(f(`${a.origin}/moved`, { headers }))
    expect(a.arrived.map((request) => request.headers.authorization)).toEqual(Array(2).fill('Bearer secret'))
    expect(b.arrived.map((request) => request.headers['x-own'])).toEqual(['kept', 'kept'])
    for (const request of b.arrived) expect(request.headers).not.toHaveProperty('authorization')
    for (const request of b.arrived) expect(request.headers).not.toHaveProperty('cookie')
  })
})

describe('over HTTP, redirects', () => {
  it('reject a streamed body that would have to be resent, without a retry', async () => {
    const { f, a, b } = await startTwo(307, refuseFirst)
    const init = { method: 'PUT', body: new Blob(['streamed']).stream(), duplex: 'half' }
    await expect(f(`${a.origin}/moved`, init)).rejects.toThrow(TypeError)
    expect(a.arrived).toHaveLength(1)
    expect(b.arrived).toHaveLength(0)
  })
})
