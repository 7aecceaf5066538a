import { type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import {
  PlainController,
  A,
  endOf,
  expectScript,
  run,
  scriptsOf,
  start,
  watch,
  play,
} from '../fixtures/start.ts'

describe('totalTimeoutMs', () => {
  // Calls, answers, send times and ends.
  it.each(
    scriptsOf(`
    the next attempt is beyond it
      / | 429/2 429/2 | 0 2010 | 429@2020 | totalTimeoutMs=3000
    a failure has a longer wait
      / | 500/5 | 0 | 500@10 | totalTimeoutMs=4000
    a throttle has a longer wait
      / | 429/5 | 0 | 429@10 | totalTimeoutMs=4000
    the backoff is longer
      / | x | 0 | TypeError@10 | totalTimeoutMs=100 random=0.5
    the gate is closed beyond it, for a new or a queued call
      POST/1 POST/2 10:/3 | 429/5 | 0 | 429@10 deadline@10 deadline@10 | totalTimeoutMs=4000 concurrency=1
    it is reached in the queue
      /1 /2 | 200~900 200~2000 | 0 900 | 200@900 deadline@1000 | totalTimeoutMs=1000 concurrency=1
    it is reached in flight
      /1 | 200~2000 | 0 | deadline@1000 | totalTimeoutMs=1000
    it would be reached asleep
      /1 | 500 | 0 | 500@10 | totalTimeoutMs=300 random=0.999`),
  )('ends a call at once when %s', async (_, script) => {
    const { events, ends } = await expectScript(script)
    if (!ends.includes('deadline'))
      expect(events.at(-1)).toMatchObject({ type: 'give-up', reason: 'deadline' })
  })

  it('limits the wait in a long queue, which maxWaitMs does not', async () => {
    const answers = () => ({ status: 200, latencyMs: 1000 })
    const { f, clock } = start({ maxQueue: Infinity, concurrency: 1, maxWaitMs: 1000 }, answers)
    const bounded = play({ f, clock }, '*100')
    const calls = await play({ f, clock }, '/last +200000', { rateLimit: { totalTimeoutMs: 5000 } })
    expect([(await bounded).at(-1)!, ...calls].map(endOf)).toEqual(['200@100000', 'deadline@5000'])
    expect(calls[0]!.error).toMatchObject({ name: 'RateLimitError', message: 'No response within 5000 ms' })
  })
})

describe('attemptTimeoutMs', () => {
  const options = { attemptTimeoutMs: 100 }

  it.each(
    scriptsOf(`
    ends each attempt, and the call with a TimeoutError
      / | 200~1000 200~1000 | 0 100 | TimeoutError@200 | maxRetries=1
    counts as a failure: a POST is not retried
      POST/ | 200~1000 | 0 | TimeoutError@100
    ends with the headers
      / | 200~99 | 0 | 200@99
    never includes the time in the queue or asleep
      /1 /2 /3 | 200~90 429/5 200~90 | 0 90 5100 5190 | 200@90 200@5190 200@5200 | concurrency=1
    passes the role of a timed-out probe to the next call, after the second step of the throttle backoff
      /0 10:/1 /2 | 429/1 200~1000 | 0 1010 2110 2120 | TimeoutError@1110 200@2120 200@2130 | maxRetries=1`),
  )('%s', async (_, script) => void (await expectScript(script, options)))

  it('ends with the headers: a body may take longer', async () => {
    const { server } = await run({ calls: '/', options })
    expect(server.requests[0]!.request.signal.aborted).toBe(false)
  })
})

describe('with either limit', () => {
  it.each([[{ attemptTimeoutMs: 100 }], [{ totalTimeoutMs: 100 }]])(
    'an abort after the response still reaches its body: %o',
    async (options) => {
      const started = start(options)
      const [call] = await play(started, '/ +10 abort')
      expect(endOf(call!)).toBe('200@10')
      expect(started.server.requests[0]!.request.signal.aborted).toBe(true)
    },
  )

  it.each<[RateLimitedFetchOptions, end: string, requests: number, Controller?: unknown]>([
    [{ attemptTimeoutMs: 100 }, 'TimeoutError@300', 3],
    [{ attemptTimeoutMs: 100 }, 'TimeoutError@300', 3, PlainController],
    [{ totalTimeoutMs: 100 }, 'deadline@100', 1],
    [{ totalTimeoutMs: 100 }, 'deadline@100', 1, PlainController],
  ])('does not wait for an inner fetch that ignores its signal: %o', async (...row) => {
    const [options, end, requests, Controller = AbortController] = row
    vi.stubGlobal('AbortController', Controller)
    let sent = 0
    const fetch = (): Promise<Response> => (sent++, new Promise(() => undefined))
    const { f, ends, outcomes } = await run({ calls: '/', options: { fetch, ...options } })
    expect([ends, sent]).toEqual([end, requests])
    expect((outcomes[0]!.error as Error).message).toBe('No response within 100 ms')
    expect(f.snapshot(A)).toMatchObject({ inFlight: 0, queued: 0 })
  })

  it('names an abort without a reason an abort', async () => {
    const controller = new PlainController()
    const { f, clock, events } = start({}, [{ status: 200, latencyMs: 1000 }])
    const call = watch(f(A, { signal: controller.signal }), clock)
    controller.abort()
    await clock.advanceAsync(0)
    expect(call.error).toMatchObject({ name: 'AbortError' })
    expect(events.at(-1)).toMatchObject({ type: 'abort', phase: 'in-flight' })
  })
})

it('a mock that resolves with nothing after the timeout causes no unhandled rejection', async () => {
  const fetch = () => new Promise<Response>((resolve) => clock.after(100, () => resolve(undefined as never)))
  const { f, clock } = start({ fetch, attemptTimeoutMs: 50, maxRetries: 0 })
  const [call] = await play({ f, clock }, '/ +200')
  expect(call).toMatchObject({ state: 'rejected', error: { name: 'TimeoutError' }, at: 50 })
})

it('totalTimeoutMs counts from the call, however late that is by the clock', async () => {
  await expectScript('1000000:/ | 429/5 | 1000000 1005010 | 200@1005020', { totalTimeoutMs: 10_000 }, 2e6)
})
