import { getEventListeners } from 'node:events'
import { createRateLimitedFetch, type FetchEvent, type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import {
  A,
  answersOf,
  callAll,
  endOf,
  paths,
  play,
  start,
  statesOf,
  tick,
  watch,
  type Started,
} from '../fixtures/start.ts'
import { collect } from '../../core/shared/garbage.ts'
import { callAbortably } from '../fixtures/wrapped.ts'

type Phase = 'queued' | 'sleeping' | 'in-flight'
const IDLE = { queued: 0, sleeping: 0, inFlight: 0 }
const aborts = (events: FetchEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'abort' ? [[event.call, event.phase, event.at]] : []))

it.each([new Error('mine'), 'a string', undefined])(
  'a call with an aborted signal rejects with the reason, and sends nothing: %s',
  async (reason) => {
    const { f, server, clock, events } = start()
    const signal = AbortSignal.abort(reason)
    const outcomes = [f(A, { signal }), f(new Request(A, { signal })), f('data:,', { signal })].map((call) =>
      watch(call, clock),
    )
    expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 0, buckets: {} })
    await tick()
    for (const { error } of outcomes) expect(error).toBe(signal.reason)
    expect([server.calls, events]).toEqual([0, []])
  },
)

describe('an aborted call rejects in the same tick with the reason, is not retried, and leaves no timer', () => {
  const half = { random: () => 0.5 }
  it.each<[Phase, before: string, answers: string, RateLimitedFetchOptions]>([
    ['queued', '/first +10', '200~1000', { concurrency: 1 }],
    ['queued', 'POST/first +10', '429/1', {}],
    ['queued', '+0', '429/1', half],
    ['sleeping', '+0', '500', half],
    ['sleeping', '+0', 'x', half],
    ['in-flight', '+0', '200~1000', {}],
  ])('%s: behind %s, after %s', async (phase, before, answers, options) => {
    const started = start(options, answersOf(answers))
    const { f, server, clock, events } = started
    const others = await play(started, before)
    const call = callAbortably(started, '/call')
    await clock.advanceAsync(20)
    const at = clock.now()
    const sent = server.requests.length
    const name = phase === 'in-flight' ? 'inFlight' : phase
    expect(f.snapshot(A)![name]).toBe(1)
    call.abort()
    if (phase === 'in-flight') expect(server.requests[0]!.request.signal.aborted).toBe(true)
    else expect(f.snapshot(A)![name]).toBe(0)
    await clock.advanceAsync(0)
    expect(call.outcome).toMatchObject({ state: 'rejected', at })
    expect(call.outcome.error).toBe(call.reason)
    expect(clock.pending).toBe(server.inFlight)
    await clock.advanceAsync(60_000)
    expect(server.requests).toHaveLength(sent)
    expect(f.snapshot(A)).toMatchObject(IDLE)
    expect(aborts(events)).toEqual([[others.length + 1, phase, at]])
  })

  it.each<[string, Answer]>([
    ['200', 200],
    ['429', tooMany(1)],
    ['500', 500],
    ['a network error', networkError()],
    ['nothing, ever', { status: 200, latencyMs: 1e9 }],
  ])('ignores the outcome of a fetch that ignores the signal: %s', async (_, answer) => {
    for (const isHeard of [true, false]) {
      const isThrottled = vi.fn(() => false)
      const fetch = (input: RequestInfo | URL) =>
        started.server.fetch(input instanceof Request ? input.url : input)
      const silent = isHeard ? {} : { onEvent: undefined }
      const started: Started = start({ concurrency: 1, isThrottled, fetch, ...silent }, [answer])
      const { f, clock, server, events } = started
      const call = callAbortably(started, '/1')
      const [next] = callAll(started, ['/2'])
      call.abort()
      await clock.advanceAsync(2e9)
      expect(call.outcome).toMatchObject({ state: 'rejected', at: 0, error: call.reason })
      expect([endOf(next!), server.requests.length]).toEqual(['200@10', 2])
      expect(isThrottled).toHaveBeenCalledOnce()
      expect(f.snapshot(A)).toMatchObject({ ...IDLE, gate: { open: true } })
      expect(aborts(events)).toEqual(isHeard ? [[1, 'in-flight', 0]] : [])
    }
  })
})

it('cancels a response that arrives after the abort', async () => {
  const cancel = vi.fn()
  const late = { status: 200, body: new ReadableStream({ cancel }) }
  const started = start({ fetch: (input) => started.server.fetch(input) }, [late])
  const call = callAbortably(started, '/')
  call.abort()
  await started.clock.advanceAsync(10)
  expect([call.outcome.at, cancel.mock.calls.length]).toEqual([0, 1])
})

it('cancels a response whose call is aborted before the call continues', async () => {
  const cancel = vi.fn()
  const sent = Promise.resolve(new Response(new ReadableStream({ cancel })))
  const { f, clock } = start({ fetch: () => sent })
  const call = callAbortably({ f, clock })
  void sent.then(call.abort)
  await clock.advanceAsync(0)
  expect([call.outcome.state, cancel.mock.calls.length]).toEqual(['rejected', 1])
})

describe('a search aborted by each letter', () => {
  it.each([
    [50, 150],
    [100, 250],
    [200, 150],
    [200, 1000],
  ])(
    'every %i ms: after the pause each letter is sent at once, and the gate does not close again (responses take %i ms)',
    async (gapMs, latencyMs) => {
      const answers = (_: unknown, index: number) => (index === 0 ? tooMany(1) : { status: 200, latencyMs })
      const { f, server, clock, events } = start({ random: () => 0.5 }, answers)
      const typed: { at: number; call: ReturnType<typeof callAbortably> }[] = []
      for (let letter = 0; letter < 12_000 / gapMs; letter++) {
        typed.at(-1)?.call.abort()
        typed.push({ at: clock.now(), call: callAbortably({ f, clock }, `/${letter}`) })
        await clock.advanceAsync(gapMs)
      }
      await clock.advanceAsync(latencyMs)
      // The pause of a second, with jitter of up to 5 %.
      expect(server.at().slice(2)).toEqual(typed.map(({ at }) => at).filter((at) => at >= 10 + 1050))
      expect(server.early).toEqual([])
      expect(events.filter(({ type }) => type === 'gate-closed')).toHaveLength(1)
      const last = typed.at(-1)!
      expect(endOf(last.call.outcome)).toBe(`200@${last.at + latencyMs}`)
      expect(f.snapshot(A)!.gate.open).toBe(true)
    },
  )

  it('starts no cooldown by aborting a probe, though its fetch rejects with its own error', async () => {
    const started = start({
      fetch: (input, init) =>
        new Promise((resolve, reject) => {
          const { signal, url } = new Request(input, init)
          signal.addEventListener('abort', () => reject(new TypeError('Failed to fetch')))
          if (url.endsWith('/0')) resolve(new Response(null, tooMany(1)))
          else if (!url.endsWith('/1')) resolve(new Response())
        }),
    })
    await play(started, '/0 +1000', { method: 'POST' })
    const probe = callAbortably(started, '/1')
    const others = callAll(started, ['/2', '/3'])
    probe.abort()
    await started.clock.advanceAsync(0)
    expect([probe.outcome, ...others].map(endOf)).toEqual(['Error@1000', '200@1000', '200@1000'])
    expect(started.events.filter(({ type }) => type === 'gate-closed')).toHaveLength(1)
  })
})

describe('a signal', () => {
  const { signal } = new AbortController()
  // In Node the signal of a Request no longer follows that of init once the Request is collected. That of a Request aborts the body
  // as long as the caller keeps the Request; that of the copy that is sent would not.
  it.each<[string, string | Request, RequestInit?]>([
    ['with a URL', A, { signal }],
    ['with a Request', new Request(A), { signal }],
    ['of a Request', new Request(A)],
  ])('%s is given to the inner fetch itself', async (_, input, init) => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(new Response()))
    await createRateLimitedFetch({ fetch })(input, init)
    expect(fetch.mock.calls[0]![1]!.signal).toBe(init?.signal ?? (input as Request).signal)
  })

  // In Node a signal of `AbortSignal.any` does not retain those it follows, and one of `AbortSignal.timeout` is retained by nothing.
  it('lives as long as the one that the inner fetch gets, with a timeout: it aborts the body', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(new Response()))
    const f = createRateLimitedFetch({ fetch, attemptTimeoutMs: 1000 })
    const given = new WeakRef(new AbortController().signal)
    await f(A, { signal: given.deref()! })
    // Without a look at it, which would retain it.
    await collect()
    expect(given.deref()).toBeDefined()
    expect(fetch.mock.calls[0]![1]!.signal!.aborted).toBe(false)
  })

  it('has one listener for the pending calls, and none when they are settled', async () => {
    const { f, server, clock } = start({ concurrency: 1, random: () => 0.5 }, [500, 200, tooMany(1)])
    const { signal } = new AbortController()
    // A new Request leaves a weak listener on its signal until it is collected, as with the native fetch.
    const request = new Request(A, { signal })
    const perRequest = getEventListeners(signal, 'abort').length
    const ours = (): number =>
      getEventListeners(signal, 'abort').length - (1 + server.requests.length) * perRequest
    const calls = callAll({ f, clock }, paths(3), { signal })
    const counts = [ours()]
    for (const ms of [10, 5000]) {
      await clock.advanceAsync(ms)
      counts.push(ours())
    }
    // They share one.
    expect(counts).toEqual([1, 1, 0])
    expect(statesOf(calls)).toEqual(Array(3).fill('resolved'))
    // Keeps the requests alive until here.
    expect([request, ...server.requests.map((received) => received.request)]).toHaveLength(6)
  })

  it('keeps no listener after 1000 calls with any outcome', async () => {
    const { signal } = new AbortController()
    const answers: Answer[] = [200, 500, networkError(), tooMany(1), 404, { throws: new Error('thrown') }]
    const { f, clock, server } = start(
      { maxRetries: 1, maxQueue: 3, concurrency: 5 },
      (_, index) => answers[index % answers.length]!,
    )
    let settled = 0
    for (let round = 0; round < 100; round++) {
      for (let call = 0; call < 10; call++) {
        const settle = (): number => settled++
        f(call === 3 ? '::' : `${A}/${call}`, { signal, method: 'PUT', body: 'x' }).then(settle, settle)
      }
      await clock.advanceAsync(60_000)
    }
    expect(settled).toBe(1000)
    server.forget()
    // The rest belongs to unreachable Requests, and goes with them.
    await collect(() => getEventListeners(signal, 'abort').length === 0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
