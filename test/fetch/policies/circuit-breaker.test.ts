import { createCircuitBreaker, type CircuitBreaker } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { circuitBreaker, dedupeFetch, queueTimeout, retryBudget, type ComposeOptions } from 'lull/fetch'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, B, callAll, compose, watch, type Composed } from '../fixtures/start.ts'

type Outcome = 'success' | 'failure' | 'abandon'

const refused = { name: 'RateLimitError', code: 'circuit-open', retryAfterMs: 7 }

/** A breaker that refuses when the test says so, and its log. */
function createFakeBreaker() {
  const log: string[] = []
  const outcomes: Outcome[] = []
  const state = { isOpen: false }
  let tickets = 0
  const out = new Set<number>()
  const strays: unknown[] = []
  onTestFinished(() => expect(strays).toEqual([]))
  const end = (outcome: Outcome) => (ticket: number) => {
    // Each is reported once.
    if (!out.delete(ticket)) strays.push(ticket)
    log.push(`${outcome} ${ticket}`)
    outcomes.push(outcome)
  }
  const peek = () => ({ allowed: !state.isOpen, retryAfterMs: state.isOpen ? 7 : 0 })
  const breaker = {
    peek,
    decide() {
      log.push(state.isOpen ? 'refuse' : 'admit')
      if (!state.isOpen) out.add(++tickets)
      return { ...peek(), ticket: tickets }
    },
    success: end('success'),
    failure: end('failure'),
    abandon: end('abandon'),
  } as unknown as CircuitBreaker
  return { breaker, state, log, outcomes, out }
}

/** The kernel with such a breaker. */
function startWith(options: ComposeOptions = {}, answers?: Parameters<typeof compose>[2]) {
  const fake = createFakeBreaker()
  const { policies = [], ...others } = options
  return { ...compose([circuitBreaker(fake.breaker), ...policies], others, answers), ...fake }
}

const drops = ({ events }: { events: { type: string }[] }): unknown[] =>
  events.filter(({ type }) => type === 'drop').map((event) => ('reason' in event ? event.reason : undefined))

describe('a call that the breaker refuses', () => {
  it('rejects with what that throws, in the same tick, and is not sent', async () => {
    const started = startWith()
    started.state.isOpen = true
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(0)
    expect(call!.error).toMatchObject(refused)
    expect(started.server.calls).toBe(0)
    expect(drops(started)).toEqual(['breaker'])
    expect(started.log).toEqual(['refuse'])
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0 })
  })

  it('may be one for each bucket', async () => {
    const breakers = new Map<string, CircuitBreaker>()
    const breakerOf = (key: string): CircuitBreaker => {
      const breaker = createCircuitBreaker({ minimumCalls: 1, clock: createManualClock() })
      breakers.set(key, breaker)
      return breaker
    }
    const { f, clock } = compose([circuitBreaker(breakerOf)], { maxRetries: 0 }, ({ url }) =>
      url.startsWith(A) ? 500 : 200,
    )
    for (const url of [A, B, `${A}/2`]) watch(f(url), clock)
    await clock.advanceAsync(10)
    const [refusedOfA, ofB] = [watch(f(A), clock), watch(f(B), clock)]
    await clock.advanceAsync(10)
    expect(refusedOfA.error).toMatchObject({ code: 'circuit-open', retryAfterMs: 10_000 })
    expect(ofB.response?.status).toBe(200)
    expect([...breakers].map(([key, { state }]) => [key, state])).toEqual([
      [A, 'open'],
      [B, 'closed'],
    ])
  })

  it('past queue and gate there is a breaker too', async () => {
    const started = startWith()
    const sent = watch(started.f(A, { rateLimit: false }), started.clock)
    started.state.isOpen = true
    const refusedCall = watch(started.f(A, { rateLimit: false }), started.clock)
    await started.clock.advanceAsync(10)
    expect([sent.response?.status, refusedCall.error]).toEqual([200, expect.objectContaining(refused)])
    expect(started.outcomes).toEqual(['success'])
  })

  it.each([null, {}, 'open'])('%o is none', (breaker) => {
    expect(() => circuitBreaker(breaker as never)).toThrow(TypeError)
  })
})

describe('the order, from outside', () => {
  it('de-duplication: a group asks once', async () => {
    const started = startWith()
    const { clock } = started
    callAll({ f: dedupeFetch(started.f), clock }, ['/', '/', '/'])
    await clock.advanceAsync(10)
    expect(started.log).toEqual(['admit', 'success 1'])
  })

  it('retry: a retry that is refused is not made, and the response is returned', async () => {
    const started = startWith({}, [{ status: 500, body: 'why' }, networkError()])
    const [first] = callAll(started, ['/'])
    started.state.isOpen = true
    await started.clock.advanceAsync(10)
    expect(await first!.response!.text()).toBe('why')
    started.state.isOpen = false
    const [second] = callAll(started, ['/'])
    started.state.isOpen = true
    await started.clock.advanceAsync(10)
    expect(second!.error).toBeInstanceOf(TypeError)
    const giveUps = started.events.filter(({ type }) => type === 'give-up')
    expect(giveUps).toMatchObject([{ reason: 'breaker' }, { reason: 'breaker' }])
    expect(started.server.calls).toBe(2)
  })
})

describe('what is reported to the breaker', () => {
  const opaque = Object.defineProperties(new Response(), { status: { value: 0 }, type: { value: 'opaque' } })

  const timed = (status: number): Answer => ({ status, headers: { 'retry-after': '1' } })
  const each = (outcome: Outcome, ...statuses: number[]) =>
    statuses.map((status): [string, Outcome, Answer] => [`${status}`, outcome, status])

  it.each<[string, Outcome, Answer, ComposeOptions?]>([
    ...each('success', 200, 204, 301, 304, 401, 404, 408, 413, 422),
    ...each('failure', 500, 503, 504, 599),
    ['500 with a time', 'failure', timed(500)],
    ['429', 'abandon', 429],
    ['429 with a time', 'abandon', timed(429)],
    ['503 with a time', 'abandon', timed(503)],
    ['500 that isThrottled knows', 'abandon', 500, { isThrottled: () => true }],
    ['403 that isThrottled knows', 'abandon', 403, { isThrottled: ({ status }) => status === 403 }],
    ['an opaque response', 'abandon', opaque],
    ['an error of the network', 'failure', networkError()],
    ['an attempt that takes too long', 'failure', 200, { attemptTimeoutMs: 5 }],
    ['a call that takes too long', 'abandon', 200, { totalTimeoutMs: 5 }],
    ['any other error of the fetch', 'failure', new Error('else')],
    ['a fetch that throws', 'failure', { throws: new Error('thrown') }],
  ])('%s is reported as %s', async (_, outcome, answer, options = {}) => {
    const started = startWith({ maxRetries: 0, ...options }, [answer])
    callAll(started, ['/'])
    await started.clock.advanceAsync(20)
    expect(started.outcomes).toEqual([outcome])
  })

  it.each<[string, ComposeOptions, (f: { dispose: () => void }) => void]>([
    ['that would wait too long', { maxWaitMs: 5 }, () => undefined],
    ['that waits too long', { policies: [queueTimeout(5)] }, () => undefined],
    ['that is dropped', { maxQueue: 0 }, () => undefined],
    ['that is disposed of', {}, (f) => f.dispose()],
  ])('a call %s says nothing', async (_, options, act) => {
    const started = startWith({ ...options, maxRetries: 0 }, [tooMany(1)])
    callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    const [call] = callAll(started, ['/'])
    act(started.f)
    await started.clock.advanceAsync(5)
    expect(call!.state).toBe('rejected')
    expect(started.outcomes).toEqual(['abandon', 'abandon'])
  })

  it('a retry that the breaker refuses costs nothing of the budget', async () => {
    const started = startWith({ policies: [retryBudget({ reserveMs: Infinity })] }, [500])
    callAll(started, ['/'])
    started.state.isOpen = true
    await started.clock.advanceAsync(10)
    expect(started.f.snapshot(A)!.budget).toBe(10)
  })
})

it('a probe that is aborted in flight leaves its role to the next call in the same tick', async () => {
  const breakerOf = () => createCircuitBreaker({ minimumCalls: 1, clock: started.clock })
  const started: Composed = compose([circuitBreaker(breakerOf)], { maxRetries: 0 }, [500])
  callAll(started, ['/fails'])
  await started.clock.advanceAsync(20_000)
  const controller = new AbortController()
  const aborted = watch(started.f(A, { signal: controller.signal }), started.clock)
  await started.clock.advanceAsync(5)
  controller.abort()
  const [next] = callAll(started, ['/'])
  await started.clock.advanceAsync(10)
  expect([aborted.state, next!.response?.status]).toEqual(['rejected', 200])
})

it('a policy that is taken out abandons what is in flight', async () => {
  const { f, clock, log, out } = startWith({}, [{ status: 200, latencyMs: 100 }])
  void f(A)
  await clock.advanceAsync(10)
  f.configure({ policies: [] })
  await clock.advanceAsync(200)
  expect(log).toEqual(['admit', 'abandon 1'])
  expect([...out]).toEqual([])
})
