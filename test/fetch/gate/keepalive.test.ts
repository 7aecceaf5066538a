import { pageLifecycle } from 'lull/fetch'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statusesOf, watch } from '../fixtures/start.ts'

const last: RequestInit = { method: 'PUT', body: 'the last word', keepalive: true }

afterEach(() => void vi.unstubAllGlobals())

describe('keepalive', () => {
  it('goes past queue, gate, rate and concurrency at once, and counts as in flight', async () => {
    const started = start({ concurrency: 1, ratePerSecond: 0.1, burst: 1, maxQueue: 1 }, [tooMany(30)])
    const { f, server, clock, events } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    callAll(started, ['/1'])
    const calls = callAll(started, ['/last', '/last'], last)
    expect(server.paths()).toEqual(['/0', '/last', '/last'])
    expect(f.snapshot(A)).toMatchObject({ inFlight: 2, queued: 1, gate: { open: false } })
    await clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([200, 200])
    // They open nothing, .
    expect(f.snapshot(A)!.gate.open).toBe(false)
    expect(events.filter(({ type }) => type === 'bypass')).toHaveLength(2)
    await clock.advanceAsync(60_000)
  })

  it('updates the gate', async () => {
    const started = start({}, [tooMany(5)])
    const { f, clock } = started
    const calls = callAll(started, ['/last'], last)
    await clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([429])
    expect(f.snapshot(A)!.gate).toMatchObject({ open: false, until: 5010 })
    callAll(started, ['/1'])
    await clock.advanceAsync(5010)
    expect(started.server.at()).toEqual([0, 5010])
    await clock.advanceAsync(10)
  })

  it.each<[string, Answer]>([
    ['a throttle', tooMany(0)],
    ['a failure', 500],
    ['a network error', networkError()],
  ])('is not retried, for it would be after the pagehide: after %s', async (_, answer) => {
    const started = start(
      { retryNonIdempotent: true, policies: [pageLifecycle({ offline: 'wait' })] },
      () => answer,
    )
    const calls = callAll(started, ['/last'], last)
    await started.clock.advanceAsync(100_000)
    expect(started.server.requests).toHaveLength(1)
    expect(calls[0]!.state).not.toBe('pending')
    expect(started.events.filter(({ type }) => type === 'retry')).toEqual([])
  })

  it('is that of a Request too', async () => {
    const { f, server, clock } = start({ concurrency: 1 })
    const calls = [f(`${A}/1`), f(new Request(`${A}/2`, last))]
    expect(server.requests).toHaveLength(2)
    await clock.advanceAsync(10)
    await Promise.all(calls)
  })
})

describe('past queue and gate', () => {
  it('skips queue, gate, rate and concurrency, and counts as in flight', async () => {
    const started = start({ concurrency: 1, maxQueue: 0 }, [tooMany(30)])
    const { f, server, clock } = started
    callAll(started, ['/0'], { method: 'POST' })
    await clock.advanceAsync(10)
    f.pause()
    const calls = ['/1', '/2'].map((path) => watch(f(A + path, { rateLimit: false }), clock))
    expect(f.snapshot(A)).toMatchObject({ inFlight: 2, queued: 0 })
    await clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(server.paths()).toEqual(['/0', '/1', '/2'])
    f.resume()
  })

  it('its response still updates the gate, and is returned as it is', async () => {
    const started = start({}, [tooMany(5), { status: 429, headers: { 'retry-after': '9' } }])
    const { f, clock } = started
    for (const until of [5010, 9020]) {
      const call = watch(f(`${A}/`, { rateLimit: false }), clock)
      await clock.advanceAsync(10)
      expect(call.response?.status).toBe(429)
      expect(f.snapshot(A)!.gate.until).toBe(until)
    }
    const waiting = callAll(started, ['/waits'])
    await clock.advanceAsync(9010)
    expect(statusesOf(waiting)).toEqual([200])
  })

  it('does not take the place of the probe, nor widen the ramp', async () => {
    const started = start({}, [tooMany(1)])
    const { f, server, clock, events } = started
    callAll(started, ['/0'], { method: 'POST' })
    await clock.advanceAsync(1010)
    const past = paths(5).map((path) => watch(f(A + path, { rateLimit: false }), clock))
    const calls = callAll(started, paths(4))
    expect(server.inFlight).toBe(6)
    await clock.advanceAsync(10)
    expect(server.inFlight).toBe(2)
    await clock.advanceAsync(100)
    expect(statusesOf([...past, ...calls])).toEqual(Array(9).fill(200))
    expect(events.filter(({ type }) => type === 'gate-probe')).toHaveLength(1)
  })
})
