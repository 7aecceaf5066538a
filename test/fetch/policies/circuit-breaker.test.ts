import { createCircuitBreaker, type CircuitBreaker } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { circuitBreaker, dedupeFetch, type ComposeOptions } from 'lull/fetch'
import { createFakeBreaker, type BreakerOutcome } from '../fixtures/fake-breaker.ts'
import { networkError, SILENT, type Answer } from '../fixtures/fake-server.ts'
import { A, B, callAll, compose, type Composed, endOf, play } from '../fixtures/start.ts'
import { throwing } from '../../core/shared/throwing.ts'

const message = 'Call given up: circuit-open'
const refused = { name: 'RateLimitError', message, code: 'circuit-open', retryAfterMs: 7 }

function startWith(options: ComposeOptions = {}, answers?: Parameters<typeof compose>[2]) {
  const log: string[] = []
  const wrong: string[] = []
  const fake = createFakeBreaker((what, isRight) => (isRight ? log : wrong).push(what))
  onTestFinished(() => expect(wrong).toEqual([]))
  const { policies = [], ...others } = options
  return { ...compose([circuitBreaker(fake.breaker), ...policies], others, answers), ...fake, log }
}

describe('the circuit breaker', () => {
  it('counts a refused call as denied once, also if it was queued when the circuit opened', async () => {
    const breaker = createCircuitBreaker()
    const started = compose([circuitBreaker(breaker)], { concurrency: 2, maxRetries: 0 }, () => 500)
    const calls = await play(started, '*30 +1000')
    const refusals = calls.filter((call) => endOf(call).startsWith('circuit-open'))
    expect(refusals.length).toBeGreaterThan(1)
    expect(breaker.snapshot().denied).toBe(refusals.length)
  })

  it('counts a refused call as denied once, however often the queue is drained in that tick', async () => {
    const started = startWith()
    const [call] = await play(started, 'pause /')
    started.state.isOpen = true
    await play(started, 'resume resume +0')
    expect([endOf(call!), started.log]).toEqual(['circuit-open@0', ['refuse']])
  })

  it('rejects a refused call with its error in the same tick, and does not send it', async () => {
    const started = startWith()
    started.state.isOpen = true
    const [call] = await play(started, '/ +0')
    expect(call!.error).toMatchObject(refused)
    expect(started.server.calls).toBe(0)
    expect(started.events.filter(({ type }) => type === 'drop')).toMatchObject([{ reason: 'circuit-open' }])
    expect(started.log).toEqual(['refuse'])
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0 })
  })

  it('does not hold up another origin while its probe waits', async () => {
    const breaker = createCircuitBreaker({ minimumCalls: 1, openMs: 0, clock: createManualClock() })
    breaker.failure()
    const started = compose([circuitBreaker(breaker)])
    const calls = await play(started, `pause=${A} / ${B} +10 resume=${A} +10`)
    expect(calls.map(endOf)).toEqual(['200@20', '200@10'])
  })

  it('may be another one for each bucket', async () => {
    const keys: string[] = []
    const breakerOf = (key: string): CircuitBreaker => {
      keys.push(key)
      return createCircuitBreaker({ minimumCalls: 1, clock: createManualClock() })
    }
    const answers = ({ url }: { url: string }) => (url.startsWith(A) ? 500 : 200)
    const started = compose([circuitBreaker(breakerOf)], { maxRetries: 0 }, answers)
    const calls = await play(started, `/ ${B} /2 +10 / ${B} +10`)
    expect(calls.slice(3).map(endOf)).toEqual(['circuit-open@10', '200@20'])
    expect(calls[3]!.error).toMatchObject({ retryAfterMs: 10_000 })
    expect(keys).toEqual([A, B])
  })

  it('counts a bypassing call that a later policy rejects as abandoned', async () => {
    const { f, log } = startWith({ policies: [() => ({ admit: throwing(new Error('rejected')) })] })
    await expect(f(A, { rateLimit: false })).rejects.toThrow('rejected')
    expect(log).toEqual(['admit', 'abandon 1'])
  })

  it('covers requests that bypass queue and gate', async () => {
    const started = startWith()
    const calls = await play(started, '/', { rateLimit: false })
    started.state.isOpen = true
    calls.push(...(await play(started, '/ +10', { rateLimit: false })))
    expect(calls).toMatchObject([{ response: { status: 200 } }, { error: refused }])
    expect(started.log).toEqual(['admit', 'refuse', 'success 1'])
  })
})

describe('the order of the layers, from outside', () => {
  it('deduplication: a group counts as one call', async () => {
    const { f, clock, log } = startWith()
    callAll({ f: dedupeFetch(f), clock }, ['/', '/', '/'])
    await clock.advanceAsync(10)
    expect(log).toEqual(['admit', 'success 1'])
  })

  it('retry: a refused retry is not made, and the response is returned', async () => {
    const started = startWith({}, [{ status: 500, body: 'why' }, networkError()])
    const calls = await play(started, '/ /')
    started.state.isOpen = true
    await started.clock.advanceAsync(10)
    expect(await calls[0]!.response!.text()).toBe('why')
    expect(calls[1]!.error).toBeInstanceOf(TypeError)
    const giveUps = started.events.filter(({ type }) => type === 'give-up')
    expect(giveUps).toMatchObject([{ reason: 'circuit-open' }, { reason: 'circuit-open' }])
    expect(started.server.calls).toBe(2)
  })
})

const opaque = Object.defineProperties(new Response(), { status: { value: 0 }, type: { value: 'opaque' } })

const timed = (status: number): Answer => ({ status, headers: { 'retry-after': '1' } })
const each = (outcome: BreakerOutcome, ...statuses: number[]) =>
  statuses.map((status): [string, BreakerOutcome, Answer] => [`${status}`, outcome, status])

it.each<[string, BreakerOutcome, Answer, ComposeOptions?]>([
  ...each('success', 200, 204, 301, 304, 401, 404, 408, 413, 422),
  ...each('failure', 500, 503, 504, 599),
  ['500 with a time', 'failure', timed(500)],
  ['429', 'abandon', 429],
  ['429 with a time', 'abandon', timed(429)],
  ['503 with a time', 'abandon', timed(503)],
  ['500 that isThrottled knows', 'abandon', 500, { isThrottled: () => true }],
  ['403 that isThrottled knows', 'abandon', 403, { isThrottled: ({ status }) => status === 403 }],
  ['an opaque response', 'abandon', opaque],
  ['a network error', 'failure', networkError()],
  ['an attempt that takes too long', 'failure', 200, { attemptTimeoutMs: 5 }],
  ['a call that takes too long', 'abandon', 200, { totalTimeoutMs: 5 }],
  ['any other error of the fetch', 'failure', new Error('else')],
  ['a fetch that throws', 'failure', { throws: new Error('thrown') }],
])('%s is reported as %s', async (_, outcome, answer, options = {}) => {
  const started = startWith({ maxRetries: 0, ...options }, [answer])
  await play(started, '/ +20')
  expect(started.log).toEqual(['admit', `${outcome} 1`])
})

/** Calls to a circuit that a failure opens. The second call is the probe. */
function playOpened(steps: string, probe: Answer = 200) {
  const breakerOf = () => createCircuitBreaker({ minimumCalls: 1, clock: started.clock })
  const started: Composed = compose([circuitBreaker(breakerOf)], { maxRetries: 0 }, [500, probe])
  return play(started, `/fails +20000 ${steps}`)
}

it('a probe without a response for 10 s passes its role to the next call', async () => {
  const calls = await playOpened('/probe +9999 /early +1 /next +10', SILENT)
  expect(calls.slice(2).map(endOf)).toEqual(['circuit-open@29999', '200@30010'])
})

it('a response after more than 10 s counts, unless the circuit was open meanwhile', async () => {
  const started = startWith({ maxRetries: 0 }, [{ status: 500, latencyMs: 20_000 }])
  await play(started, '/slow +15000 /next +5000')
  expect(started.log).toEqual(['admit', 'admit', 'success 2', 'failure 1'])
})

it('a probe aborted in flight passes its role to the next call in the same tick', async () => {
  const calls = await playOpened('/probe +5 abort /next +10')
  expect(calls.slice(1).map(endOf)).toEqual(['AbortError@20005', '200@20015'])
})

it('a network error counts, but not while the page is offline', async () => {
  for (const onLine of [undefined, true, false]) {
    vi.stubGlobal('navigator', { onLine })
    const started = startWith({ maxRetries: 0 }, [networkError()])
    await play(started, '/ +10')
    expect(started.log).toEqual(['admit', onLine === false ? 'abandon 1' : 'failure 1'])
  }
})

it('a removed policy abandons requests in flight', async () => {
  const started = startWith({}, [{ status: 200, latencyMs: 100 }])
  await play(started, '/ +10')
  started.f.configure({ policies: [] })
  await started.clock.advanceAsync(200)
  expect([started.log, [...started.out]]).toEqual([['admit', 'abandon 1'], []])
})
