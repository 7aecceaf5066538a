import { describe, expect, it, vi } from 'vitest'
import { listen, reply, tooMany, type Arrived } from './loopback.ts'
import { startReal } from './start-real.ts'

// A test that hangs fails soon.
vi.setConfig({ testTimeout: 10_000 })

describe('over HTTP, the gate of one origin', () => {
  it.each([
    [1, 4],
    [4, 1],
  ])('R51 of overlapping 429s it keeps the longest: %s s, then %s s', async (first, second) => {
    const held: Arrived[] = []
    const { origin, arrived } = await listen((request, index) => {
      if (index >= 2) return 200
      if (held.push(request) === 2)
        // The second is answered when the first answer has had its effect.
        held[0]!.response.writeHead(429, { 'Retry-After': String(first) }).end()
      return undefined
    })
    const { f, clock, happens, sentAt, settle } = startReal()
    const calls = [f(`${origin}/1`), f(`${origin}/2`)]
    await happens('gate-closed')
    const [other] = held.filter(({ response }) => !response.headersSent)
    other!.response.writeHead(429, { 'Retry-After': String(second) }).end()
    await happens('throttled', 2)
    expect(f.snapshot(origin)?.gate.until).toBe(4000)
    await clock.advanceAsync(3999)
    expect(f.snapshot(origin)).toMatchObject({ queued: 2, inFlight: 0 })

    const responses = await settle(Promise.all(calls))
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(sentAt().slice(2)[0]).toBe(4000)
    expect(arrived).toHaveLength(4)
  })

  it('R52 an answer to what was sent before it closed neither opens nor shortens it', async () => {
    let held: Arrived | undefined
    const { origin, paths } = await listen((request) => {
      if (request.path !== '/slow') return request.path === '/refused' ? tooMany(2) : 200
      held = request
      return undefined
    })
    const { f, clock, happens, sentAt, settle } = startReal({ maxRetries: 0 })
    const slow = f(`${origin}/slow`)
    await vi.waitFor(() => expect(held).toBeDefined())
    expect((await f(`${origin}/refused`)).status).toBe(429)
    const next = f(`${origin}/next`)
    await clock.advanceAsync(500)
    held!.response.end('ok')
    expect((await slow).status).toBe(200)
    await happens('response', 2)
    expect(f.snapshot(origin)).toMatchObject({ queued: 1, inFlight: 0, gate: { until: 2000 } })
    expect((await settle(next)).status).toBe(200)
    expect(sentAt()).toEqual([0, 0, 2000])
    expect(paths()).toEqual(['/slow', '/refused', '/next'])
  })

  it('R49 R143 another origin goes on', async () => {
    const refusing = await listen((_, index) => (index === 0 ? tooMany(60) : 200))
    const other = await listen()
    const { f, clock, sentAt, settle } = startReal({ maxRetries: 0 })
    expect((await f(`${refusing.origin}/`)).status).toBe(429)
    const waiting = f(`${refusing.origin}/`)
    for (let call = 0; call < 3; call++) expect((await f(`${other.origin}/`)).status).toBe(200)
    expect(refusing.arrived).toHaveLength(1)
    expect(clock.now()).toBe(0)
    expect((await settle(waiting)).status).toBe(200)
    expect(sentAt()).toEqual([0, 0, 0, 0, 60_000])
  })

  it('R62 R63 it reopens with one request, then at most two, then at most four', async () => {
    const together: number[] = []
    const { origin } = await listen((_, index) => {
      if (index === 0) return tooMany(2)
      together.push(f.snapshot().inFlight)
      return 200
    })
    const { f, happens, settle } = startReal()
    const first = f(`${origin}/0`)
    await happens('gate-closed')
    const calls = Array.from({ length: 20 }, (_, index) => f(`${origin}/${index + 1}`))
    const responses = await settle(Promise.all([first, ...calls]))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    expect(together).toHaveLength(21)
    expect(together[0]).toBe(1)
    expect(Math.max(...together.slice(1, 3))).toBeLessThanOrEqual(2)
    expect(Math.max(...together.slice(3, 7))).toBeLessThanOrEqual(4)
  })

  it('R55 a call that sleeps holds no slot', async () => {
    const { origin, paths } = await listen((_, index) => (index === 0 ? 500 : 200))
    const { f, clock, happens, settle } = startReal({ concurrency: 1, random: () => 0.5 })
    const first = f(`${origin}/1`)
    const second = f(`${origin}/2`)
    await happens('retry')
    expect((await second).status).toBe(200)
    expect(f.snapshot(origin)).toMatchObject({ sleeping: 1, inFlight: 0 })
    expect(clock.now()).toBe(0)
    expect((await settle(first)).status).toBe(200)
    expect(paths()).toEqual(['/1', '/2', '/1'])
  })

  it('R37 R22 what is no throttle closes nothing, whatever it says of the time', async () => {
    const statuses = [200, 201, 400, 403, 404, 409, 413, 422, 500, 502]
    const { origin, arrived } = await listen((_, index) => reply(statuses[index]!, { 'Retry-After': '60' }))
    const { f, events } = startReal({ maxRetries: 0 })
    for (const status of statuses) expect((await f(`${origin}/`)).status).toBe(status)
    expect(arrived).toHaveLength(statuses.length)
    expect(events.filter(({ type }) => type === 'gate-closed')).toEqual([])
  })
})
