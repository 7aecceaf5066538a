import { describe, expect, it, vi } from 'vitest'
import { listen, reply, tooMany, type Loopback, type Reply } from './loopback.ts'
import { startReal, type StartedReal } from './start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

interface TwoOrigins extends StartedReal {
  /** Sends `/moved` on to the other one, and answers everything else with 200. */
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

describe.each([302, 307])('over HTTP, a redirect with %s to an origin that refuses', (status) => {
  it('R57 closes the gate of that origin, and no other', async () => {
    const { f, clock, a, b, events, happens, settle } = await startTwo(status, refuseFirst)
    const moved = f(`${a.origin}/moved`)
    await happens('gate-closed')
    expect(events.filter(({ type }) => type === 'gate-closed')).toMatchObject([
      { key: b.origin, until: 2000 },
    ])
    expect(f.snapshot(b.origin)?.gate).toMatchObject({ open: false, until: 2000 })
    expect(f.snapshot(a.origin)?.gate.open).toBe(true)

    // The origin that sent it on goes on, and in no window; the one that refused has new calls wait.
    expect((await f(`${a.origin}/other`)).status).toBe(200)
    expect(f.snapshot(a.origin)?.window).toBeGreaterThan(1)
    const late = f(`${b.origin}/late`)
    expect(clock.now()).toBe(0)
    expect(b.paths()).toEqual(['/here'])

    const responses = await settle(Promise.all([moved, late]))
    expect(responses.map((response) => response.status)).toEqual([200, 200])
  })

  it('R58 R146 credentials never go along, on no attempt', async () => {
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
  it('R10 R22 a redirect that is not followed is handed over as it is', async () => {
    const { origin } = await listen(() => reply(307, { Location: '/to', 'Retry-After': '60' }))
    const { f } = startReal()
    expect((await f(`${origin}/`, { redirect: 'manual' })).status).toBe(307)
    expect(f.snapshot(origin)?.gate.open).toBe(true)
  })

  it('R99 a body goes along with a 307, the same on every attempt', async () => {
    const { f, a, b, settle } = await startTwo(307, refuseFirst)
    const body = new Blob(['sent along'], { type: 'text/own' })
    await settle(f(`${a.origin}/moved`, { method: 'PUT', body }))
    const seen = [...a.arrived, ...b.arrived].map((request) => [
      request.method,
      request.headers['content-type'],
      request.body.toString(),
    ])
    expect(seen).toEqual(Array(4).fill(['PUT', 'text/own', 'sent along']))
  })

  it('R98 R100 a streamed body that would have to go along is an error, and is not sent again', async () => {
    const { f, a, b } = await startTwo(307, refuseFirst)
    const init = { method: 'PUT', body: new Blob(['streamed']).stream(), duplex: 'half' }
    await expect(f(`${a.origin}/moved`, init)).rejects.toThrow(TypeError)
    expect(a.arrived).toHaveLength(1)
    expect(b.arrived).toHaveLength(0)
  })
})
