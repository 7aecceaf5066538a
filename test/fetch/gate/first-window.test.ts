import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start } from '../fixtures/start.ts'

describe('a first window', () => {
  it('refuses no call: what does not fit into the queue is sent', async () => {
    const started = start({ maxQueue: 10 })
    const calls = callAll(started, paths(40))
    await started.clock.advanceAsync(0)
    expect(started.server.inFlight).toBe(30)
    await started.clock.advanceAsync(1000)
    expect(calls.every(({ response }) => response?.status === 200)).toBe(true)
    expect(started.server.paths()).toEqual(paths(40))
  })

  it('lets none go that something else holds back', async () => {
    const started = start({ maxQueue: 2 })
    started.f.pause()
    const calls = callAll(started, paths(5))
    await started.clock.advanceAsync(0)
    expect(calls.map(({ state }) => state)).toEqual([
      'pending',
      'pending',
      'rejected',
      'rejected',
      'rejected',
    ])
    started.f.resume()
    await started.clock.advanceAsync(1000)
  })
})

describe('after a refusal', () => {
  /** How many of 100 calls are in flight at once when the gate opens after `answers`. */
  async function widthAfter(calls: number, isRefused: (index: number) => boolean): Promise<number> {
    const started = start({}, (_, index) =>
      index < calls && isRefused(index) ? { ...tooMany(5), latencyMs: 20 } : { status: 200, latencyMs: 30 },
    )
    callAll(started, paths(calls))
    await started.clock.advanceAsync(4000)
    callAll(started, paths(100))
    await started.clock.advanceAsync(1020)
    const { inFlight } = started.server
    await started.clock.advanceAsync(60_000)
    return inFlight
  }

  it.each([
    ['of a limit, one probe is sent', 8, (index: number) => index >= 4, 1],
    ['among as many passes, one probe is sent', 6, (index: number) => index % 2 === 0, 1],
    ['that is a stray, as many are sent as passed after it', 8, (index: number) => index === 0, 7],
    ['that is one of the last, one probe is sent', 8, (index: number) => index === 5, 1],
  ])('%s', async (_, calls, isRefused, width) => {
    expect(await widthAfter(calls, isRefused)).toBe(width)
  })

  it('a second refusal that nothing takes back leaves one probe', async () => {
    const started = start({}, (_, index) => (index < 2 ? tooMany(1) : { status: 200, latencyMs: 100 }))
    callAll(started, ['/1'])
    await started.clock.advanceAsync(5000)
    callAll(started, paths(20))
    expect(started.f.snapshot(A)!.gate.open).toBe(true)
    await started.clock.advanceAsync(10_000)
    expect(started.server.early).toEqual([])
  })
})
