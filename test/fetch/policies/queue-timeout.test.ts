import { limitRate, queueTimeout, type RateLimitedRequestInit } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, watch } from '../fixtures/start.ts'
import { compose } from '../fixtures/compose.ts'

const slow = (latencyMs: number): Answer => ({ status: 200, latencyMs })

describe('a queue timeout', () => {
  it.each([
    ['of all calls', 50, undefined],
    ['of the call', Infinity, 50],
    ['of the call, before that of all', 500, 50],
  ])('gives up a call that is not sent in time: %s', async (_, ms, queueTimeoutMs) => {
    const { f, server, clock, events } = compose([queueTimeout(ms)], { concurrency: 1 }, [slow(100)])
    const first = watch(f(`${A}/1`), clock)
    const init: RateLimitedRequestInit = { rateLimit: { queueTimeoutMs } }
    const second = watch(f(`${A}/2`, init), clock)
    await clock.advanceAsync(200)
    expect(first.response?.status).toBe(200)
    expect(second).toMatchObject({ state: 'rejected', at: 50 })
    expect(second.error).toMatchObject({ name: 'RateLimitError', code: 'queue-timeout' })
    expect(server.requests).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'drop')).toEqual([
      { type: 'drop', key: A, at: 50, call: 2, reason: 'queue-timeout' },
    ])
  })

  it('gives it up at once, if the gate is known to be closed for longer', async () => {
    const started = compose([queueTimeout(4000)], { concurrency: 1 }, [tooMany(5)])
    const { clock } = started
    const calls = callAll(started, paths(2), { method: 'POST' })
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/3']))
    await clock.advanceAsync(0)
    for (const call of calls.slice(1))
      expect(call).toMatchObject({
        state: 'rejected',
        at: 10,
        error: { code: 'queue-timeout', retryAfterMs: 5000 },
      })
    await clock.advanceAsync(1500)
    calls.push(...callAll(started, ['/4']))
    await clock.advanceAsync(4000)
    expect(calls[3]!.response?.status).toBe(200)
  })

  it('knows nothing of a gate any more after a reset', async () => {
    const started = compose([queueTimeout(100)], {}, [tooMany(5)])
    callAll(started, ['/1'], { method: 'POST' })
    await started.clock.advanceAsync(10)
    started.f.reset()
    const [call] = callAll(started, ['/2'])
    await started.clock.advanceAsync(10)
    expect(call!.response?.status).toBe(200)
  })

  it('does not give up at once while paused by hand, and nobody can tell for how long', async () => {
    const { f, clock } = compose([queueTimeout(100)])
    f.pause()
    const call = watch(f(A), clock)
    await clock.advanceAsync(100)
    expect(call).toMatchObject({ state: 'rejected', at: 100, error: { retryAfterMs: Infinity } })
  })

  it('is over when the call is first sent', async () => {
    const started = compose([queueTimeout(50)], { random: () => 0.5 }, [500, tooMany(1)])
    const calls = callAll(started, ['/'])
    await started.clock.advanceAsync(5000)
    expect(calls[0]!.response?.status).toBe(200)
  })

  it('says for how long the call would still have had to wait', async () => {
    const policies = [limitRate({ ratePerSecond: 1, burst: 1 }), queueTimeout(100)]
    const started = compose(policies)
    callAll(started, ['/1'])
    await started.clock.advanceAsync(500)
    const calls = callAll(started, ['/2'])
    await started.clock.advanceAsync(100)
    expect(calls[0]!.error).toMatchObject({ code: 'queue-timeout', retryAfterMs: 400 })
  })

  it('does not concern a request past queue and gate', async () => {
    const { f, clock } = compose([queueTimeout(5)], {}, [tooMany(5)])
    watch(f(A, { method: 'POST' }), clock)
    await clock.advanceAsync(10)
    const call = watch(f(A, { rateLimit: false }), clock)
    await clock.advanceAsync(10)
    expect(call.response?.status).toBe(200)
  })

  it.each([0, -1, NaN, '5' as never])('%o is none', async (ms) => {
    const message = (name: string): RangeError => new RangeError(`Expected ${name} > 0, got ${ms}`)
    expect(() => queueTimeout(ms)).toThrow(message('queueTimeout ms'))
    const { f, clock } = compose([queueTimeout(5)])
    const call = watch(f(A, { rateLimit: { queueTimeoutMs: ms } }), clock)
    await clock.advanceAsync(0)
    expect(call.error).toEqual(message('queueTimeoutMs'))
  })
})
