import { describe, expect, it } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, watch } from '../fixtures/start.ts'

const slow = (latencyMs: number, status = 200): Answer => ({ status, latencyMs })

describe('R110 totalTimeoutMs', () => {
  it('R110 gives up at once with the last response when the next attempt would be beyond it', async () => {
    const started = start({ totalTimeoutMs: 3000 }, [tooMany(2), tooMany(2)])
    const { clock, server, events } = started
    const calls = callAll(started, ['/'])
    await clock.advanceAsync(10_000)
    expect(calls[0]).toMatchObject({ state: 'resolved', at: 2020, response: { status: 429 } })
    expect(server.requests).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ type: 'give-up', reason: 'deadline' })
  })

  it.each<[string, Answer]>([
    ['a failure', { status: 500, headers: { 'retry-after': '5' } }],
    ['a throttle', tooMany(5)],
  ])('R110 gives up at once after %s, a deadline of the call itself', async (_, answer) => {
    const { f, clock } = start({}, [answer])
    const call = watch(f(`${A}/`, { rateLimit: { totalTimeoutMs: 4000 } }), clock)
    await clock.advanceAsync(10)
    expect(call.state).toBe('resolved')
  })

  it('R110 after a network error that error comes out', async () => {
    const { f, clock } = start({ totalTimeoutMs: 100, random: () => 0.5 }, [networkError()])
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(10)
    expect(call).toMatchObject({ state: 'rejected', at: 10, error: { message: 'fetch failed' } })
  })

  it('R110 rejects with deadline at once when the gate is closed beyond it: a new call and a queued one', async () => {
    const started = start({ totalTimeoutMs: 4000, concurrency: 1 }, [tooMany(5)])
    const { clock } = started
    const calls = callAll(started, paths(2), { method: 'POST' })
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/3']))
    await clock.advanceAsync(0)
    expect(calls[0]!.response?.status).toBe(429)
    for (const call of calls.slice(1))
      expect(call).toMatchObject({
        state: 'rejected',
        at: 10,
        error: { name: 'RateLimitError', code: 'deadline' },
      })
    await clock.advanceAsync(10_000)
  })

  it('R110 counts from when the call came, however late that is', async () => {
    const started = start({ totalTimeoutMs: 4000 }, [tooMany(3)])
    await started.clock.advanceAsync(100_000)
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(1000)
    calls.push(...callAll(started, ['/2']))
    await started.clock.advanceAsync(10_000)
    expect(calls.map(({ response }) => response?.status)).toEqual([200, 200])
  })

  it.each([
    ['in the queue', { concurrency: 1 }, [slow(2000)], 1000, 'No response within 1000 ms'],
    ['in flight', {}, [200, slow(2000)], 1000, 'No response within 1000 ms'],
    ['asleep', { random: () => 0.999 }, [200, 500], 10, ''],
  ] as const)('R110 ends a call %s', async (_, options, answers, at, message) => {
    const { f, clock } = start(options, answers)
    const first = watch(f(`${A}/1`), clock)
    const call = watch(f(`${A}/2`, { rateLimit: { totalTimeoutMs: at === 10 ? 300 : 1000 } }), clock)
    await clock.advanceAsync(5000)
    expect(first.response?.status).toBe(200)
    expect(call.at).toBe(at)
    if (at === 1000) expect(call.error).toMatchObject({ name: 'RateLimitError', code: 'deadline', message })
    else expect(call.response?.status).toBe(500)
  })

  it('R109 R110 the whole is queue, attempts and sleeps', async () => {
    const started = start({ totalTimeoutMs: 1000, ratePerSecond: 1, burst: 1, random: () => 0.5 }, [200, 500])
    const { clock } = started
    const calls = callAll(started, paths(2))
    await clock.advanceAsync(5000)
    expect(calls.map(({ state, at }) => [state, at])).toEqual([
      ['resolved', 10],
      ['rejected', 1000],
    ])
  })
})
