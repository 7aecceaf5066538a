import { describe, expect, it } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, watch } from '../fixtures/start.ts'
import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'

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
})

describe('R109 attemptTimeoutMs', () => {
  it('R109 covers one attempt, and is retried as a network error is', async () => {
    const started = start({ attemptTimeoutMs: 100 }, [slow(101), slow(101), slow(99)])
    const { server, clock, events } = started
    const calls = callAll(started, ['/'])
    await clock.advanceAsync(1000)
    expect(calls[0]).toMatchObject({ state: 'resolved', at: 299 })
    expect(server.at()).toEqual([0, 100, 200])
    expect(events.filter(({ type }) => type === 'error')).toMatchObject([
      { at: 100, attempt: 1, error: { name: 'TimeoutError' } },
      { at: 200, attempt: 2, error: { name: 'TimeoutError' } },
    ])
  })

  it('R109 rejects with a TimeoutError when no attempt is left, or the method forbids one', async () => {
    const started = start({ attemptTimeoutMs: 100, maxRetries: 1 }, () => slow(1000))
    const { server, clock } = started
    const calls = [...callAll(started, ['/']), ...callAll(started, ['/'], { method: 'POST' })]
    await clock.advanceAsync(1000)
    expect(calls).toMatchObject([
      { state: 'rejected', at: 200, error: { name: 'TimeoutError' } },
      { state: 'rejected', at: 100, error: { name: 'TimeoutError' } },
    ])
    expect(server.requests).toHaveLength(3)
  })

  it('R109 never includes the time in the queue or asleep', async () => {
    const started = start({ attemptTimeoutMs: 100, concurrency: 1 }, [slow(90), tooMany(5), slow(90)])
    const { server, clock } = started
    const calls = callAll(started, paths(3))
    await clock.advanceAsync(10_000)
    expect(calls.map(({ response, at }) => [response?.status, at])).toEqual([
      [200, 90],
      [200, 5190],
      [200, 5200],
    ])
    expect(server.requests).toHaveLength(4)
  })

  it('R109 ends with the headers: a body may take as long as it likes', async () => {
    const started = start({ attemptTimeoutMs: 100 }, [slow(99)])
    callAll(started, ['/'])
    await started.clock.advanceAsync(10_000)
    expect(started.server.requests[0]!.request.signal.aborted).toBe(false)
  })

  it('R109 a fetch that rejects with an error of its own when it is aborted has taken too long all the same', async () => {
    const clock = createManualClock()
    let count = 0
    const f = createRateLimitedFetch({
      clock,
      attemptTimeoutMs: 100,
      random: () => 0,
      fetch: (_, init) =>
        new Promise((resolve, reject) => {
          if (count++ > 0) return resolve(new Response())
          init!.signal!.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
        }),
    })
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(1000)
    expect(call.response?.status).toBe(200)
    expect(clock.pending).toBe(0)
  })

  it.each([[{ attemptTimeoutMs: 100 }], [{ totalTimeoutMs: 100 }]])(
    'R106 an abort after the response still reaches its body, with %o',
    async (options) => {
      const { f, server, clock } = start(options)
      const controller = new AbortController()
      const call = watch(f(`${A}/`, { signal: controller.signal }), clock)
      await clock.advanceAsync(10)
      expect(call.response?.status).toBe(200)
      controller.abort()
      expect(server.requests[0]!.request.signal.aborted).toBe(true)
    },
  )

  it('R109 R61 covers a call past queue and gate too', async () => {
    const { f, clock } = start({ attemptTimeoutMs: 100 }, [slow(1000)])
    const call = watch(f(`${A}/`, { rateLimit: false }), clock)
    await clock.advanceAsync(100)
    expect(call).toMatchObject({ state: 'rejected', at: 100, error: { name: 'TimeoutError' } })
  })

  it('R64 R109 a probe that takes too long hands its role on', async () => {
    const started = start({ attemptTimeoutMs: 100, maxRetries: 0 }, [tooMany(1), slow(1000)])
    const { server, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    const calls = callAll(started, paths(2))
    await clock.advanceAsync(10_000)
    expect(calls.map(({ state }) => state)).toEqual(['rejected', 'resolved'])
    // The second step of the throttle backoff after it.
    expect(server.at()).toEqual([0, 1010, 2110])
  })
})

it('R146 an attempt with a timeout says as little of where it comes from as it was told to', async () => {
  const { f, server, clock } = start({ attemptTimeoutMs: 1000 })
  const call = f(`${A}/`, { referrer: '', referrerPolicy: 'origin' })
  await clock.advanceAsync(10)
  await call
  expect(server.requests[0]!.request).toMatchObject({ referrer: '', referrerPolicy: 'origin' })
})
