import { getEventListeners } from 'node:events'
import { createRateLimitedFetch, type FetchEvent } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { createFakeServer, networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, tick, watch, type Started } from '../fixtures/start.ts'

const aborts = (events: FetchEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'abort' ? [[event.call, event.phase, event.at]] : []))

/** A call that can be aborted, with a reason of its own. */
function abortable({ f, clock }: Started, path: string, init?: RequestInit) {
  const controller = new AbortController()
  const reason = new Error(`reason of ${path}`)
  const outcome = watch(f(A + path, { ...init, signal: controller.signal }), clock)
  return { outcome, reason, signal: controller.signal, abort: () => controller.abort(reason) }
}

describe('R102 aborted beforehand', () => {
  it.each([new Error('mine'), 'a string', undefined])(
    'R102 rejects with the reason, and does nothing: %s',
    async (reason) => {
      const { f, server, clock, events } = start()
      const signal = AbortSignal.abort(reason)
      const outcomes = [
        watch(f(`${A}/`, { signal }), clock),
        watch(f(new Request(`${A}/`, { signal })), clock),
        watch(f('data:,', { signal }), clock),
      ]
      expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 0, buckets: {} })
      await tick()
      for (const { error } of outcomes) expect(error).toBe(signal.reason)
      expect(server.calls).toBe(0)
      expect(events).toEqual([])
    },
  )
})

describe('R103 aborted in the queue', () => {
  it('R103 rejects in the same tick with the reason, and leaves the queue at once', async () => {
    const started = start({ concurrency: 1 })
    const { f, server, clock, events } = started
    callAll(started, ['/1'])
    const second = abortable(started, '/2')
    callAll(started, ['/3'])
    await clock.advanceAsync(5)
    second.abort()
    expect(f.snapshot(A)).toMatchObject({ queued: 1, inFlight: 1 })
    await tick()
    expect(second.outcome.error).toBe(second.reason)
    await clock.advanceAsync(30)
    expect(server.paths()).toEqual(['/1', '/3'])
    expect(server.at()).toEqual([0, 10])
    expect(aborts(events)).toEqual([[2, 'queued', 5]])
  })

  it('R103 at the gate the next one is the probe', async () => {
    const started = start({}, [tooMany(1)])
    const { server, clock } = started
    callAll(started, ['/0'], { method: 'POST' })
    await clock.advanceAsync(10)
    const first = abortable(started, '/1')
    callAll(started, ['/2'])
    first.abort()
    await tick()
    expect(first.outcome).toMatchObject({ state: 'rejected', error: first.reason, at: 10 })
    await clock.advanceAsync(1010)
    expect(server.paths()).toEqual(['/0', '/2'])
    expect(server.at()).toEqual([0, 1010])
  })

  it.each([Infinity, 60_000])(
    'R103 together with all whose signals depend on the same one: none moves up and is sent (attempt timeout %d)',
    async (attemptTimeoutMs) => {
      const clock = createManualClock()
      // The gate's time is over before a timer tells.
      const late = { ...clock, after: (ms: number, callback: () => void) => clock.after(ms + 1000, callback) }
      const { fetch, requests } = createFakeServer(clock, () => tooMany(1))
      const f = createRateLimitedFetch({ fetch, clock: late, random: () => 0, attemptTimeoutMs })
      const controller = new AbortController()
      // As a component has it: its own end, and what each call is given.
      const calls = paths(3).map((path) => {
        const signal = AbortSignal.any([new AbortController().signal, controller.signal])
        return watch(f(A + path, { signal }), clock)
      })
      await clock.advanceAsync(1500)
      const sent = requests.length
      const reason = new Error('mine')
      controller.abort(reason)
      await clock.advanceAsync(0)
      expect(requests).toHaveLength(sent)
      for (const { error } of calls) expect(error).toBe(reason)
      expect(clock.pending).toBe(0)
    },
  )

  it('R103 by a listener of the enqueue event, which comes first of all', async () => {
    const controller = new AbortController()
    const { f, server, clock } = start({
      concurrency: 1,
      onEvent: (event) => event.type === 'enqueue' && event.call === 2 && controller.abort(),
    })
    const first = f(`${A}/1`)
    const second = watch(f(`${A}/2`, { signal: controller.signal }), clock)
    await tick()
    expect(second.error).toBe(controller.signal.reason)
    await clock.advanceAsync(20)
    await first
    expect(server.calls).toBe(1)
  })

  it('R103 by a listener of the dispatch event: it is not sent, and is settled once', async () => {
    const controller = new AbortController()
    const events: FetchEvent[] = []
    const { f, server, clock } = start({
      concurrency: 1,
      onEvent(event) {
        events.push(event)
        if (event.type === 'dispatch' && event.call === 1) controller.abort()
      },
    })
    const first = watch(f(`${A}/1`, { signal: controller.signal }), clock)
    const second = f(`${A}/2`)
    await clock.advanceAsync(20)
    expect(first.error).toBe(controller.signal.reason)
    expect((await second).status).toBe(200)
    expect(server.paths()).toEqual(['/2'])
    expect(aborts(events)).toHaveLength(1)
    expect(f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0 })
  })
})

describe('R104 aborted asleep', () => {
  it.each([
    ['after a failure', 500, 'sleeping'],
    ['after an error of the network', networkError(), 'sleeping'],
    ['after a throttle', tooMany(1), 'queued'],
  ] as const)(
    'R104 rejects in the same tick, clears the timer, and is not sent again: %s',
    async (_, answer, phase) => {
      const started = start({ random: () => 0.5 }, [answer])
      const { f, server, clock, events } = started
      const call = abortable(started, '/')
      await clock.advanceAsync(20)
      expect(f.snapshot(A)).toMatchObject({ [phase]: 1, inFlight: 0 })
      expect(clock.pending).toBe(1)
      call.abort()
      expect(clock.pending).toBe(0)
      expect(f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0 })
      await tick()
      expect(call.outcome).toMatchObject({ state: 'rejected', error: call.reason, at: 20 })
      await clock.advanceAsync(60_000)
      expect(server.requests).toHaveLength(1)
      expect(aborts(events)).toEqual([[1, phase, 20]])
    },
  )
})

describe('R105 aborted in flight', () => {
  it('R105 the signal reaches the fetch underneath, whose rejection is passed on', async () => {
    const started = start({ concurrency: 1 })
    const { f, server, clock, events } = started
    const call = abortable(started, '/1', { method: 'PUT', body: 'x' })
    callAll(started, ['/2'])
    await clock.advanceAsync(5)
    call.abort()
    expect(server.requests[0]!.request.signal.aborted).toBe(true)
    await clock.advanceAsync(0)
    expect(call.outcome).toMatchObject({ state: 'rejected', at: 5 })
    expect(call.outcome.error).toBe(call.reason)
    expect(server.at()).toEqual([0, 5])
    expect(f.snapshot(A)).toMatchObject({ inFlight: 1, sleeping: 0, queued: 0 })
    await clock.advanceAsync(5000)
    expect(server.requests).toHaveLength(2)
    expect(aborts(events)).toEqual([[1, 'in-flight', 5]])
  })

  it.each<[string, Answer]>([
    ['200', 200],
    ['429', tooMany(1)],
    ['500', 500],
    ['an error of the network', networkError()],
    ['nothing, ever', { status: 200, latencyMs: 1e9 }],
  ])(
    'a fetch that ignores the signal is not waited for, and what it comes back with changes nothing: %s',
    async (_, answer) => {
      for (const isHeard of [true, false]) {
        const events: FetchEvent[] = []
        const { f, clock, server } = start(
          {
            random: () => 0.5,
            onEvent: isHeard ? (event) => events.push(event) : undefined,
            fetch: (input) => server.fetch(input instanceof Request ? input.url : input),
          },
          [answer],
        )
        const controller = new AbortController()
        const call = watch(f(`${A}/`, { signal: controller.signal }), clock)
        controller.abort(new Error('mine'))
        await clock.advanceAsync(0)
        expect(call).toMatchObject({ state: 'rejected', at: 0, error: { message: 'mine' } })
        await clock.advanceAsync(2e9)
        expect(server.requests).toHaveLength(1)
        expect(f.snapshot(A)).toMatchObject({ inFlight: 0, queued: 0, gate: { open: true } })
        expect(aborts(events)).toEqual(isHeard ? [[1, 'in-flight', 0]] : [])
      }
    },
  )
})

describe('R106 to R112 the rest', () => {
  it('R106 an abort after the response changes nothing', async () => {
    const started = start()
    const { f, clock, events } = started
    const call = abortable(started, '/')
    await clock.advanceAsync(10)
    const before = f.snapshot()
    call.abort()
    await clock.advanceAsync(0)
    expect(call.outcome.response?.status).toBe(200)
    expect(f.snapshot()).toBe(before)
    expect(aborts(events)).toEqual([])
  })

  it('R107 there is one listener for the calls that are pending, and none when they are settled', async () => {
    const { f, server, clock } = start({ concurrency: 1, random: () => 0.5 }, [500, 200, tooMany(1)])
    const { signal } = new AbortController()
    // Making a Request leaves a weak one on its signal, which goes when the Request does. The native fetch does so too.
    const request = new Request(A, { signal })
    const perRequest = getEventListeners(signal, 'abort').length
    const ours = (): number =>
      getEventListeners(signal, 'abort').length - (1 + server.requests.length) * perRequest

    const calls = ['/1', '/2', '/3'].map((path) => watch(f(A + path, { signal }), clock))
    // They share one.
    expect(ours()).toBe(1)
    await clock.advanceAsync(10)
    expect(ours()).toBe(1)
    await clock.advanceAsync(5000)
    expect(calls.map(({ state }) => state)).toEqual(['resolved', 'resolved', 'resolved'])
    expect(ours()).toBe(0)
    // The requests are held until here.
    expect([request, ...server.requests.map((received) => received.request)]).toHaveLength(6)
  })

  it('R107 a long-lived signal keeps no listener after 1000 calls, of whatever outcome', async () => {
    const { signal } = new AbortController()
    const answers: Answer[] = [
      200,
      500,
      networkError(),
      tooMany(1),
      404,
      new Error('else'),
      { throws: new Error('thrown') },
    ]
    const { f, clock, server } = start(
      { maxRetries: 1, maxQueue: 3, concurrency: 5 },
      (_, index) => answers[index % answers.length]!,
    )
    let settled = 0
    for (let round = 0; round < 100; round++) {
      for (let call = 0; call < 10; call++) {
        const url = call === 3 ? '::' : `${A}/${call}`
        f(url, { signal, method: 'PUT', body: 'x' }).then(
          () => settled++,
          () => settled++,
        )
      }
      await clock.advanceAsync(60_000)
    }
    expect(settled).toBe(1000)
    server.forget()
    // What is left belongs to Requests that nobody holds any more, and goes with them.
    for (let turn = 0; turn < 20 && getEventListeners(signal, 'abort').length > 0; turn++) {
      globalThis.gc!()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('R108 the signal of a Request counts, that of init goes before it, and null detaches', async () => {
    const started = start()
    const { f, clock } = started
    const ofRequest = new AbortController()
    const ofInit = new AbortController()
    const request = (): Request => new Request(`${A}/`, { signal: ofRequest.signal })
    f.pause()
    const one = watch(f(request()), clock)
    const two = watch(f(request(), { signal: ofInit.signal }), clock)
    const three = watch(f(request(), { signal: null }), clock)
    const four = watch(f(request(), { method: 'PUT' }), clock)

    ofRequest.abort('of the request')
    await tick()
    expect([one, two, three, four].map(({ state }) => state)).toEqual([
      'rejected',
      'pending',
      'pending',
      'rejected',
    ])
    expect(one.error).toBe('of the request')
    ofInit.abort('of init')
    await tick()
    expect(two.error).toBe('of init')
    f.resume()
    await clock.advanceAsync(10)
    expect(three.response?.status).toBe(200)
  })

  it.each<[string, Answer]>([
    ['429', tooMany(1)],
    ['500', 500],
    ['an error of the network', networkError()],
  ])(
    'R112 an abort in the tick of a %s settles the call at once, and it is not sent again',
    async (_, answer) => {
      const started = start({ random: () => 0.5 }, [answer])
      const { f, server, clock } = started
      const call = abortable(started, '/')
      // The answer is there, but what follows from it has not run.
      clock.advance(10)
      call.abort()
      await clock.advanceAsync(0)
      expect(call.outcome.state).toBe('rejected')
      expect(f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 0 })
      await clock.advanceAsync(5000)
      expect(server.requests).toHaveLength(1)
    },
  )

  it('R112 an abort in the tick in which a sleep ends settles once', async () => {
    const started = start({ random: () => 0.5 }, [500, 200])
    const { f, server, clock } = started
    const call = abortable(started, '/')
    await clock.advanceAsync(10)
    clock.advance(250)
    call.abort()
    await clock.advanceAsync(100)
    expect(call.outcome.error).toBe(call.reason)
    // What was woken is sent one continuation later.
    expect(server.requests).toHaveLength(1)
    expect(f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 0 })
  })
})

it('R103 a queued request that nobody else holds hears its signal after a collection too', async () => {
  const { f, clock } = start({ concurrency: 1 }, [{ status: 200, latencyMs: 1000 }])
  const first = f(`${A}/1`)
  const controller = new AbortController()
  const queued = watch(f(new Request(`${A}/2`, { signal: controller.signal })), clock)
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const reason = new Error('mine')
  controller.abort(reason)
  await clock.advanceAsync(0)
  expect(queued.error).toBe(reason)
  await clock.advanceAsync(1000)
  await first
})
