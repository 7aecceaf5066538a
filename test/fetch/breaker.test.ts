import fc from 'fast-check'
import { dedupeFetch, type Breaker, type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it, onTestFinished } from 'vitest'
import { networkError, tooMany, type Answer } from './fake-server.ts'
import { A, B, callAll, paths, start, statesOf, statusesOf, tick, watch } from './start.ts'
import { callEach } from './wrapped.ts'

type Outcome = Parameters<Breaker['afterAttempt']>[1]

/** A breaker that refuses when the test says so, and what it has been asked and told. */
function createFakeBreaker() {
  const log: string[] = []
  const outcomes: Outcome[] = []
  const error = new Error('refused by the breaker')
  const state = { isOpen: false }
  let tickets = 0
  const out = new Map<number, string>()
  const strays: unknown[] = []
  onTestFinished(() => expect(strays).toEqual([]))
  const breaker: Breaker = {
    beforeDispatch(key) {
      log.push(`${state.isOpen ? 'refuse' : 'admit'} ${key}`)
      if (state.isOpen) throw error
      out.set(++tickets, key)
      return tickets
    },
    afterAttempt(key, outcome, ticket) {
      // Each is told of once, with its own key. What is thrown here would be swallowed.
      if (out.get(ticket as number) !== key) strays.push(ticket)
      out.delete(ticket as number)
      log.push(`${outcome} ${ticket as number}`)
      outcomes.push(outcome)
    },
  }
  return { breaker, state, error, log, outcomes, out }
}

/** As `start`, with such a breaker. */
function startWith(options: RateLimitedFetchOptions = {}, answers?: Parameters<typeof start>[1]) {
  const fake = createFakeBreaker()
  return { ...start({ breaker: fake.breaker, ...options }, answers), ...fake }
}

const drops = ({ events }: { events: { type: string }[] }): unknown[] =>
  events.filter(({ type }) => type === 'drop').map((event) => ('reason' in event ? event.reason : undefined))

describe('R120 a call that the breaker refuses', () => {
  it('R120 rejects with what that throws, in the same tick, and is not sent', async () => {
    const started = startWith()
    started.state.isOpen = true
    const [call] = callAll(started, ['/'])
    await tick()
    expect(call!.error).toBe(started.error)
    expect(started.server.calls).toBe(0)
    expect(drops(started)).toEqual(['breaker'])
    expect(started.log).toEqual([`refuse ${A}`])
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0 })
  })

  it('R120 never waits at the gate', async () => {
    const started = startWith({ maxRetries: 0 }, [tooMany(10)])
    callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    started.state.isOpen = true
    const [refused] = callAll(started, ['/'])
    await tick()
    expect(refused).toMatchObject({ state: 'rejected', at: 10 })
    expect(started.clock.pending).toBe(0)
  })

  it('R120 takes no token, no slot and no place in the queue', async () => {
    const started = startWith({ ratePerSecond: 1, burst: 1, concurrency: 1, maxQueue: 1 })
    started.state.isOpen = true
    const refused = callAll(started, paths(5))
    started.state.isOpen = false
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(1010)
    expect(statesOf(refused)).toEqual(Array(5).fill('rejected'))
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(started.server.at()).toEqual([0, 1000])
  })

  it('R120 drops nobody from a queue that is full', async () => {
    const started = startWith({ concurrency: 1, maxQueue: 1, overflow: 'drop-oldest' })
    const calls = callAll(started, paths(2))
    started.state.isOpen = true
    callAll(started, paths(2))
    await started.clock.advanceAsync(20)
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(drops(started)).toEqual(['breaker', 'breaker'])
  })

  it('R75 one that was let in is not refused when it opens later', async () => {
    const started = startWith({ concurrency: 1 })
    const calls = callAll(started, paths(3))
    started.state.isOpen = true
    await started.clock.advanceAsync(30)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
  })

  it('R120 is asked with the key of the bucket', async () => {
    const started = startWith({
      key: ({ url }) => (url.startsWith(A) ? ['all', 'a'] : url.startsWith(B) ? 'b' : null),
    })
    callAll(started, ['/'])
    void started.f(B)
    void started.f('https://c.test')
    await started.clock.advanceAsync(10)
    expect(started.log).toEqual(['admit a', 'admit b', 'success 1', 'success 2'])
  })

  it('R61 past queue and gate there is a breaker too', async () => {
    const started = startWith()
    const sent = watch(started.f(A, { rateLimit: false }), started.clock)
    started.state.isOpen = true
    const refused = watch(started.f(A, { rateLimit: false }), started.clock)
    await started.clock.advanceAsync(10)
    expect([sent.response?.status, refused.error]).toEqual([200, started.error])
    expect(started.outcomes).toEqual(['success'])
  })

  it('R120 without one, nobody is asked', async () => {
    const started = startWith({ breaker: undefined })
    callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    expect(started.log).toEqual([])
  })
})

describe('R120 the order, from outside', () => {
  it('R120 de-duplication: a group asks once', async () => {
    const started = startWith()
    const { clock } = started
    callEach({ f: dedupeFetch(started.f), clock }, ['/', '/', '/'])
    await clock.advanceAsync(10)
    expect(started.log).toEqual([`admit ${A}`, 'success 1'])
  })

  it('R120 de-duplication: a group is refused as one', async () => {
    const started = startWith()
    const { clock } = started
    started.state.isOpen = true
    const calls = callEach({ f: dedupeFetch(started.f), clock }, ['/', '/'])
    await clock.advanceAsync(10)
    for (const { error } of calls) expect(error).toBe(started.error)
  })

  it('R120 the caller: one who has aborted beforehand asks nobody', async () => {
    const started = startWith()
    const call = watch(started.f(A, { signal: AbortSignal.abort() }), started.clock)
    await tick()
    expect(call.state).toBe('rejected')
    expect(started.log).toEqual([])
  })

  it('R120 retry: each attempt asks', async () => {
    const started = startWith({}, [500, networkError(), 200])
    callAll(started, ['/'])
    await started.clock.advanceAsync(100)
    expect(started.log).toEqual([
      `admit ${A}`,
      'failure 1',
      `admit ${A}`,
      'failure 2',
      `admit ${A}`,
      'success 3',
    ])
  })

  it('R120 retry: a retry that is refused is not made, and the response is returned', async () => {
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

  it.each([
    ['the gate', {}, [tooMany(1)]],
    ['the rate', { ratePerSecond: 1, burst: 1 }, []],
    ['the concurrency', { concurrency: 1 }, []],
  ])('R120 %s: it is asked before a call waits for that', async (_, options, answers) => {
    const started = startWith({ maxRetries: 0, ...options }, answers)
    callAll(started, ['/'])
    if (answers.length > 0) await started.clock.advanceAsync(10)
    callAll(started, ['/'])
    expect(started.log.filter((line) => line.startsWith('admit'))).toHaveLength(2)
    expect(started.server.calls).toBe(1)
    await started.clock.advanceAsync(2000)
    expect(started.server.calls).toBe(2)
  })

  it('R120 the attempt: it is told of one that took too long', async () => {
    const started = startWith({ attemptTimeoutMs: 5, maxRetries: 0 })
    callAll(started, ['/'])
    await started.clock.advanceAsync(5)
    expect(started.outcomes).toEqual(['failure'])
  })
})

describe('R121 what it is told', () => {
  const opaque = Object.defineProperties(new Response(), { status: { value: 0 }, type: { value: 'opaque' } })

  it.each<[string, Outcome, Answer, RateLimitedFetchOptions?]>([
    ...[200, 201, 204, 301, 304, 400, 401, 403, 404, 408, 409, 413, 422, 425].map(
      (status): [string, Outcome, Answer] => [`${status}`, 'success', status],
    ),
    ...[500, 501, 502, 503, 504, 599].map((status): [string, Outcome, Answer] => [
      `${status}`,
      'failure',
      status,
    ]),
    ['500 with a time', 'failure', { status: 500, headers: { 'retry-after': '1' } }],
    ['429', 'neutral', 429],
    ['429 with a time', 'neutral', tooMany(1)],
    ['503 with a time', 'neutral', { status: 503, headers: { 'retry-after': '1' } }],
    ['500 that isThrottled knows', 'neutral', 500, { isThrottled: () => true }],
    ['403 that isThrottled knows', 'neutral', 403, { isThrottled: ({ status }) => status === 403 }],
    ['an opaque response', 'neutral', opaque],
    ['an error of the network', 'failure', networkError()],
    ['an attempt that takes too long', 'failure', 200, { attemptTimeoutMs: 5 }],
    ['a call that takes too long', 'neutral', 200, { totalTimeoutMs: 5 }],
    ['an error that is not of the network', 'neutral', new Error('else')],
    ['a fetch that throws', 'neutral', { throws: new Error('thrown') }],
  ])('R121 %s is told as %s', async (_, outcome, answer, options = {}) => {
    const started = startWith({ maxRetries: 0, ...options }, [answer])
    callAll(started, ['/'])
    await started.clock.advanceAsync(20)
    expect(started.outcomes).toEqual([outcome])
  })

  it.each<[string, number, RateLimitedFetchOptions, Answer[], Outcome[]]>([
    ['in the queue', 5, { concurrency: 1 }, [], ['neutral']],
    ['at the gate', 15, {}, [{ ...tooMany(1), latencyMs: 1 }], ['neutral']],
    ['in flight', 5, {}, [], ['neutral']],
    ['asleep', 15, { random: () => 0.5 }, [200, 500], ['failure', 'neutral']],
    ['in flight again', 25, { random: () => 0.02 }, [200, 500], ['failure', 'neutral']],
  ])('R121 a call that is aborted %s is neutral', async (_, ms, options, answers, expected) => {
    const started = startWith(options, answers)
    const { f, clock, log } = started
    void f(`${A}/first`, { method: 'POST' })
    if (answers.length === 1) await clock.advanceAsync(1)
    const controller = new AbortController()
    const call = watch(f(A, { signal: controller.signal }), clock)
    await clock.advanceAsync(ms)
    controller.abort()
    await clock.advanceAsync(2000)
    expect(call.error).toBe(controller.signal.reason)
    // Those after the first call.
    const own = log.flatMap((line) => (/^(admit|.* 1$)/.test(line) ? [] : line.split(' ')[0]))
    expect(own).toEqual(expected)
  })

  it.each<[string, RateLimitedFetchOptions, (f: { dispose: () => void }) => void]>([
    ['that would wait too long', { maxWaitMs: 5 }, () => undefined],
    ['that waits too long', { maxQueueTimeMs: 5 }, () => undefined],
    ['that is dropped', { maxQueue: 0 }, () => undefined],
    ['that is disposed of', {}, (f) => f.dispose()],
  ])('R121 a call %s is neutral', async (_, options, act) => {
    const started = startWith({ ...options, maxRetries: 0 }, [tooMany(1)])
    callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    const [call] = callAll(started, ['/'])
    act(started.f)
    await started.clock.advanceAsync(5)
    expect(call!.state).toBe('rejected')
    expect(started.outcomes).toEqual(['neutral', 'neutral'])
  })

  it('R121 a retry that the budget forbids is not asked about', async () => {
    const none = { level: () => 0, canPay: () => false, pay: () => undefined, succeeded: () => undefined }
    const started = startWith({ retryBudget: () => none }, [500])
    callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    expect(started.log).toEqual([`admit ${A}`, 'failure 1'])
  })

  it('R94 a retry that the breaker refuses costs nothing', async () => {
    const paid: number[] = []
    const account = {
      level: () => 9,
      canPay: () => true,
      pay: (cost: number) => paid.push(cost),
      succeeded: () => undefined,
    }
    const started = startWith({ retryBudget: () => account }, [500])
    callAll(started, ['/'])
    started.state.isOpen = true
    await started.clock.advanceAsync(10)
    expect(paid.reduce((total, cost) => total + cost, 0)).toBe(0)
  })

  it('R121 whatever happens, it is told once of each attempt that it has let in', async () => {
    const answer = fc.constantFrom<Answer>(
      200,
      404,
      500,
      tooMany(1),
      tooMany(),
      networkError(),
      new Error('else'),
      {
        status: 503,
        headers: { 'retry-after': '1' },
      },
    )
    const call = fc.record({
      at: fc.nat({ max: 3000 }),
      abortsAfter: fc.option(fc.nat({ max: 2000 })),
      method: fc.constantFrom('GET', 'POST'),
      isBypass: fc.boolean(),
    })
    const options = fc.record({
      concurrency: fc.constantFrom(1, 2, Infinity),
      ratePerSecond: fc.constantFrom(5, Infinity),
      maxQueue: fc.constantFrom(1, 1000),
      maxQueueTimeMs: fc.constantFrom(500, Infinity),
      attemptTimeoutMs: fc.constantFrom(8, Infinity),
      overflow: fc.constantFrom('reject-new', 'drop-oldest', 'drop-lowest'),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { maxLength: 20 }),
        fc.array(call, { minLength: 1, maxLength: 12 }),
        options,
        fc.nat({ max: 3000 }),
        async (answers, calls, given, opensAt) => {
          const started = startWith({ random: () => 0.5, ...given }, answers)
          const { clock, f, state, log, out, server, outcomes } = started
          const settled: unknown[] = []
          clock.after(opensAt, () => (state.isOpen = true))
          clock.after(opensAt + 500, () => (state.isOpen = false))
          for (const { at, abortsAfter, method, isBypass } of calls)
            clock.after(at, () => {
              const controller = new AbortController()
              if (abortsAfter !== null) clock.after(abortsAfter, () => controller.abort())
              f(A, { method, signal: controller.signal, ...(isBypass && { rateLimit: false }) }).then(
                () => settled.push(0),
                () => settled.push(1),
              )
            })
          await clock.advanceAsync(200_000)
          expect(settled).toHaveLength(calls.length)
          expect(out.size).toBe(0)
          const admitted = log.filter((line) => line.startsWith('admit')).length
          expect(outcomes).toHaveLength(admitted)
          expect(server.calls).toBeLessThanOrEqual(admitted)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('R122 the probes', () => {
  /** A breaker that lets one probe go at a time once it is half open. */
  function startProbing(answers: readonly Answer[], options: RateLimitedFetchOptions = {}) {
    let state: 'closed' | 'half-open' = 'closed'
    let probe: number | undefined
    let tickets = 0
    const log: [event: string, at: number][] = []
    const started = start(
      {
        ...options,
        breaker: {
          beforeDispatch() {
            if (probe !== undefined) throw new Error('the probe is out')
            tickets++
            if (state === 'half-open') log.push(['breaker probe', started.clock.now()])
            return state === 'half-open' ? (probe = tickets) : tickets
          },
          afterAttempt(_, outcome, ticket) {
            if (ticket !== probe) return
            probe = undefined
            if (outcome === 'success') state = 'closed'
            log.push([`breaker ${outcome}`, started.clock.now()])
          },
        },
        onEvent(event) {
          if (event.type === 'gate-probe') log.push([`gate probe ${event.call}`, event.at])
        },
      },
      answers,
    )
    return { ...started, log, halfOpen: () => (state = 'half-open') }
  }

  it('R122 the probe of the breaker waits for the gate, and is its probe', async () => {
    const started = startProbing([tooMany(1)], { maxRetries: 0 })
    callAll(started, ['/throttled'])
    await started.clock.advanceAsync(10)
    started.halfOpen()
    const calls = callAll(started, paths(3))
    await started.clock.advanceAsync(1010)
    expect(statesOf(calls)).toEqual(['resolved', 'rejected', 'rejected'])
    expect(started.server.at()).toEqual([0, 1010])
    expect(started.log).toEqual([
      ['breaker probe', 10],
      ['gate probe 2', 1010],
      ['breaker success', 1020],
    ])
    const more = callAll(started, paths(2))
    await started.clock.advanceAsync(10)
    expect(statesOf(more)).toEqual(['resolved', 'resolved'])
  })

  it('R122 one that is throttled is asked about once more, and is both again', async () => {
    const started = startProbing([tooMany(1), tooMany(2)], { maxRetries: 1 })
    const [first] = callAll(started, ['/throttled'], { method: 'POST' })
    await started.clock.advanceAsync(10)
    started.halfOpen()
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(10_000)
    expect([first!.response?.status, call!.response?.status]).toEqual([429, 200])
    expect(started.log).toEqual([
      ['breaker probe', 10],
      ['gate probe 2', 1010],
      ['breaker neutral', 1020],
      ['breaker probe', 1020],
      ['gate probe 2', 3020],
      ['breaker success', 3030],
    ])
  })

  it('R122 one that is aborted at the gate leaves both to the next call', async () => {
    const started = startProbing([tooMany(1)], { maxRetries: 0 })
    callAll(started, ['/throttled'])
    await started.clock.advanceAsync(10)
    started.halfOpen()
    const controller = new AbortController()
    callAll(started, ['/'], { signal: controller.signal })
    controller.abort()
    const [next] = callAll(started, ['/'])
    await started.clock.advanceAsync(1010)
    expect(next!.response?.status).toBe(200)
    expect(started.log).toEqual([
      ['breaker probe', 10],
      ['breaker neutral', 10],
      ['breaker probe', 10],
      ['gate probe 3', 1010],
      ['breaker success', 1020],
    ])
  })

  it('R122 one that is lost leaves both to the next call', async () => {
    const started = startProbing([tooMany(1), networkError()], { maxRetries: 0 })
    callAll(started, ['/throttled'])
    await started.clock.advanceAsync(10)
    started.halfOpen()
    const [lost] = callAll(started, ['/'])
    await started.clock.advanceAsync(1010)
    expect(lost!.error).toBeInstanceOf(TypeError)
    const [next] = callAll(started, ['/'])
    await started.clock.advanceAsync(5000)
    expect(next!.response?.status).toBe(200)
    expect(started.log.map(([event]) => event)).toEqual([
      'breaker probe',
      'gate probe 2',
      'breaker failure',
      'breaker probe',
      'gate probe 3',
      'breaker success',
    ])
  })
})
