import type { RateLimitedFetchOptions } from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { networkError, tooMany, type Answer } from './fake-server.ts'
import { A, callAll, paths, start, statesOf, statusesOf, watch } from './start.ts'

// Where the errors are reported that concern no call. Node has none.
beforeEach(() => void vi.stubGlobal('reportError', vi.fn()))
afterEach(() => void vi.unstubAllGlobals())

const fail = (): never => {
  throw new Error('thrown by a function of the user')
}

describe('R149 shouldRetry and the others that throw', () => {
  it.each<[string, Answer]>([
    ['a failure', 500],
    ['a network error', networkError()],
    ['a throttle', tooMany(1)],
  ])('R149 shouldRetry, after %s: it costs that call, and its slot is freed once', async (_, answer) => {
    const started = start({ concurrency: 1, shouldRetry: fail }, [answer])
    const [bad] = callAll(started, ['/bad'])
    await started.clock.advanceAsync(20)
    expect(bad!.state).toBe('rejected')
    started.f.configure({ shouldRetry: undefined })
    const good = callAll(started, paths(3))
    await started.clock.advanceAsync(5000)
    expect(statusesOf(good)).toEqual([200, 200, 200])
    expect(started.server.peak).toBe(1)
  })

  it.each<[string, RateLimitedFetchOptions, Answer]>([
    ['shouldRetry', { shouldRetry: fail }, 500],
    ['holdSlot', { holdSlot: fail }, 200],
    ['isGlobal', { isGlobal: fail, key: () => ['all', 'own'] }, 200],
    ['retryNonIdempotent', { retryNonIdempotent: fail, headerless: 'request' }, tooMany()],
  ])('R149 %s: the first window stays 8 wide', async (_, options, answer) => {
    const started = start(options, (__, index) => (index < 3 ? answer : { status: 204, latencyMs: 1000 }))
    callAll(started, paths(3), { method: 'POST' })
    await started.clock.advanceAsync(10)
    started.f.configure({ shouldRetry: undefined, holdSlot: undefined, isGlobal: undefined })
    callAll(started, paths(20))
    expect(started.server.inFlight).toBeLessThanOrEqual(8)
    await started.clock.advanceAsync(60_000)
  })

  it('R149 holdSlot: it holds no slot', async () => {
    const started = start({ holdSlot: fail, concurrency: 1 })
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(100)
    expect(statesOf(calls)).not.toContain('pending')
  })

  it('R149 promotion: it changes nothing', async () => {
    const { f, server, clock } = start({ concurrency: 1 })
    const calls = [
      watch(f(`${A}/1`), clock),
      watch(f(`${A}/2`, { rateLimit: { promotion: fail } }), clock),
      watch(f(`${A}/3`), clock),
    ]
    await clock.advanceAsync(100)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
    expect(server.paths()).toEqual(['/1', '/2', '/3'])
    // That one, and none of those that gave no such function.
    expect(reportError).toHaveBeenCalledTimes(1)
  })

  it.each(['beforeDispatch', 'afterAttempt'] as const)(
    'R149 the breaker, in %s: its slot is freed',
    async (name) => {
      const breaker = { beforeDispatch: () => undefined, afterAttempt: () => undefined, [name]: fail }
      const started = start({ breaker, concurrency: 1 }, [500, networkError(), tooMany(1)])
      const calls = callAll(started, paths(3))
      await started.clock.advanceAsync(60_000)
      expect(statesOf(calls)).not.toContain('pending')
      expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
      expect(vi.mocked(reportError).mock.calls.length > 0).toBe(name === 'afterAttempt')
    },
  )

  it('R149 R120 of an attempt whose answer a function throws about the breaker is told nothing but its end', async () => {
    const afterAttempt = vi.fn()
    const breaker = { beforeDispatch: () => 'ticket', afterAttempt }
    const started = start({ breaker, isThrottled: fail })
    callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    expect(afterAttempt.mock.calls).toEqual([[A, 'neutral', 'ticket']])
  })
})
