import { describe, expect, it, vi } from 'vitest'
import { listen, tooMany } from './loopback.ts'
import { startReal } from './start-real.ts'

vi.setConfig({ testTimeout: 10_000 })

const last: RequestInit = { method: 'POST', body: 'the last word', keepalive: true }

describe('over HTTP, a request that is to outlive its page', () => {
  it('R131 does not wait at the gate, nor behind those who do', async () => {
    const { origin, paths } = await listen((_, index) => (index === 0 ? tooMany(30) : 200))
    const { f, clock, settle, events } = startReal()
    const first = f(`${origin}/first`)
    await vi.waitFor(() => expect(f.snapshot(origin)?.gate.open).toBe(false))
    expect((await f(`${origin}/last`, last)).status).toBe(200)
    expect(clock.now()).toBe(0)
    expect(paths()).toEqual(['/first', '/last'])
    expect(events.map(({ type }) => type as string)).toContain('bypass')
    // Its success says nothing of the gate.
    expect(f.snapshot(origin)).toMatchObject({ queued: 1, gate: { open: false, until: 30_000 } })
    expect((await settle(first)).status).toBe(200)
  })

  it('R131 does not wait for a place, and counts as in flight', async () => {
    const { origin, arrived } = await listen(() => undefined)
    const { f } = startReal({ concurrency: 1, ratePerSecond: 1 })
    const calls = [f(`${origin}/first`), f(`${origin}/last`, last)]
    await vi.waitFor(() => expect(arrived).toHaveLength(2))
    expect(f.snapshot(origin)).toMatchObject({ inFlight: 2, queued: 0 })
    for (const { response } of arrived) response.end()
    await Promise.all(calls)
    expect(f.snapshot(origin)).toMatchObject({ inFlight: 0, queued: 0 })
  })

  it('R131 closes the gate when it is refused', async () => {
    const { origin, arrived } = await listen((_, index) => (index === 0 ? tooMany(5) : 200))
    const { f, settle, sentAt } = startReal()
    expect((await f(`${origin}/last`, last)).status).toBe(429)
    expect(f.snapshot(origin)?.gate).toMatchObject({ open: false, until: 5000 })
    expect((await settle(f(`${origin}/next`))).status).toBe(200)
    expect(arrived).toHaveLength(2)
    expect(sentAt().at(-1)).toBe(5000)
  })

  it('R131 goes out although its queue is full and a far pause holds the others', async () => {
    const { origin } = await listen((_, index) => (index === 0 ? tooMany(3600) : 200))
    const { f } = startReal({ maxQueue: 0 })
    expect((await f(`${origin}/first`)).status).toBe(429)
    await expect(f(`${origin}/next`)).rejects.toMatchObject({ code: 'wait-too-long' })
    expect((await f(`${origin}/last`, last)).status).toBe(200)
  })
})
