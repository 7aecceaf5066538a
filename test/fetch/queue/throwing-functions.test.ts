import { holdSlot, type PolicyHooks, type RateLimitedFetchOptions } from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statusesOf, watch } from '../fixtures/start.ts'

// Where the errors are reported that concern no call. Node has none.
beforeEach(() => void vi.stubGlobal('reportError', vi.fn()))
afterEach(() => void vi.unstubAllGlobals())

const thrown = new Error('thrown by a function of the user')
const fail = (): never => {
  throw thrown
}

describe('functions of the user that throw', () => {
  it.each<[string, RateLimitedFetchOptions, Answer]>([
    ['shouldRetry', { shouldRetry: fail }, 500],
    ['holdSlot', { policies: [holdSlot(fail)] }, 200],
    ['retryNonIdempotent', { retryNonIdempotent: fail }, 200],
  ])('%s: the first window stays 8 wide', async (_, options, answer) => {
    const started = start(options, (__, index) => (index < 3 ? answer : { status: 204, latencyMs: 1000 }))
    callAll(started, paths(3), { method: 'POST' })
    await started.clock.advanceAsync(10)
    started.f.configure({ shouldRetry: undefined, policies: undefined })
    callAll(started, paths(20))
    expect(started.server.inFlight).toBeLessThanOrEqual(8)
    await started.clock.advanceAsync(60_000)
  })
})

describe('members of a policy that throw', () => {
  it.each<keyof PolicyHooks>([
    'readyAt',
    'sent',
    'read',
    'ended',
    'closed',
    'delay',
    'veto',
    'left',
    'reset',
    'isIdle',
    'snapshot',
  ])('%s: that is reported, and says nothing', async (name) => {
    const started = start({ policies: [() => ({ [name]: fail })], maxBuckets: 1, concurrency: 1 }, [
      500,
      tooMany(1),
    ])
    const { f, clock, server } = started
    const calls = callAll(started, paths(3))
    await clock.advanceAsync(5000)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
    expect(server.peak).toBe(1)
    f.reset()
    expect(f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
    await clock.advanceAsync(60_000)
    const other = watch(f('https://b.test/'), clock)
    await clock.advanceAsync(10)
    expect(other.response?.status).toBe(200)
    expect(vi.mocked(reportError).mock.calls[0]).toEqual([thrown])
  })

  it('admit: the call rejects with it, and is neither queued nor sent', async () => {
    const started = start({ policies: [() => ({ admit: fail })] })
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(0)
    expect(call!.error).toBe(thrown)
    expect(started.server.calls).toBe(0)
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0 })
    expect(started.events.map(({ type }) => type)).toEqual(['enqueue', 'drop'])
    expect(started.events[1]).toMatchObject({ reason: 'policy' })
  })
})
