import { runInNewContext } from 'node:vm'
import {
  composeRateLimitedFetch,
  createRateLimitedFetch,
  type FetchEvent,
  type Policy,
  type RateLimitedFetchOptions,
  type RetryDecision,
} from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFakeServer, tooMany, type Answer } from './fixtures/fake-server.ts'
import { A, B, callAll, paths, start, statesOf, statusesOf, watch, type Outcome } from './fixtures/start.ts'

afterEach(() => void vi.unstubAllGlobals())

const post: RequestInit = { method: 'POST' }
const SILENT: Answer = { status: 200, latencyMs: 1e9 }
const originsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `https://o${index}.test`)
const ofType = <Type extends FetchEvent['type']>(events: readonly FetchEvent[], type: Type) =>
  events.filter((event): event is Extract<FetchEvent, { type: Type }> => event.type === type)

describe('a search that each letter aborts', () => {
  it.each([
    [50, 150],
    [100, 250],
    [200, 150],
    [200, 1000],
  ])(
    'every %i ms: after the pause each letter is sent at once, and the gate does not close again (answers take %i ms)',
    async (gapMs, latencyMs) => {
      const { f, server, clock, events } = start({ random: () => 0.5 }, (_, index) =>
        index === 0 ? tooMany(1) : { status: 200, latencyMs },
      )
      let controller = new AbortController()
      const typed: { at: number; outcome: Outcome }[] = []
      for (let letter = 0; letter < 12_000 / gapMs; letter++) {
        controller.abort()
        controller = new AbortController()
        const { signal } = controller
        typed.push({ at: clock.now(), outcome: watch(f(`${A}/${letter}`, { signal }), clock) })
        await clock.advanceAsync(gapMs)
      }
      await clock.advanceAsync(latencyMs)
      // The pause of a second, and jitter of half a tenth of it.
      const opensAt = 10 + 1050
      expect(server.at().slice(2)).toEqual(typed.map(({ at }) => at).filter((at) => at >= opensAt))
      expect(server.early).toEqual([])
      expect(ofType(events, 'gate-closed')).toHaveLength(1)
      const last = typed.at(-1)!
      expect(last.outcome).toMatchObject({ response: { status: 200 }, at: last.at + latencyMs })
      expect(f.snapshot(A)!.gate.open).toBe(true)
    },
  )

  it('a probe that its caller aborts is no failure, though its fetch rejects with an error of its own', async () => {
    const { f, clock, events } = start({
      fetch: (input, init) =>
        new Promise((resolve, reject) => {
          const { signal, url } = new Request(input, init)
          signal.addEventListener('abort', () => reject(new TypeError('Failed to fetch')))
          if (url.endsWith('/0')) resolve(new Response(null, tooMany(1)))
          else if (!url.endsWith('/1')) resolve(new Response())
        }),
    })
    await f(`${A}/0`, post)
    await clock.advanceAsync(1000)
    const controller = new AbortController()
    const probe = watch(f(`${A}/1`, { signal: controller.signal }), clock)
    const others = ['/2', '/3'].map((path) => watch(f(A + path), clock))
    controller.abort()
    await clock.advanceAsync(0)
    expect(probe).toMatchObject({ state: 'rejected', at: 1000 })
    expect(others).toMatchObject([
      { state: 'resolved', at: 1000 },
      { state: 'resolved', at: 1000 },
    ])
    expect(ofType(events, 'gate-closed')).toHaveLength(1)
  })
})

describe('requests that never answer', () => {
  it('eight of them fill the first window for 150 ms, and no longer', async () => {
    const started = start({}, ({ url }) => (url.includes('silent') ? SILENT : 200))
    const { clock, server } = started
    callAll(started, Array<string>(8).fill('/silent'))
    const calls = callAll(started, paths(3))
    await clock.advanceAsync(149)
    expect(server.requests).toHaveLength(8)
    await clock.advanceAsync(11)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
    await clock.advanceAsync(1e9)
  })

  it('eighty of them do so no longer', async () => {
    const started = start({}, ({ url }) => (url.includes('silent') ? SILENT : 200))
    callAll(started, Array<string>(80).fill('/silent'))
    const [call] = callAll(started, ['/good'])
    await started.clock.advanceAsync(160)
    expect(call!.response?.status).toBe(200)
    await started.clock.advanceAsync(1e9)
  })

  it('a probe holds the others back for 10 s, and so does each one after it; what comes late is taken as it is', async () => {
    const started = start({}, (_, index) =>
      index === 0 ? tooMany(1) : index < 4 ? { status: 200, latencyMs: 35_000 } : 200,
    )
    const { clock, server, events } = started
    callAll(started, ['/0'], post)
    await clock.advanceAsync(10)
    const calls = callAll(started, paths(5))
    await clock.advanceAsync(32_000)
    expect(server.at()).toEqual([0, 1010, 11_010, 21_010, 31_010, 31_020])
    expect(ofType(events, 'gate-probe').map(({ call }) => call)).toEqual([2, 3, 4, 5])
    await clock.advanceAsync(30_000)
    expect(statusesOf(calls)).toEqual([200, 200, 200, 200, 200])
  })
})

describe('one origin never costs another', () => {
  it.each<[string, number, Answer]>([
    ['refuse for ten minutes', 257, tooMany(600)],
    ['refuse for ten minutes', 1000, tooMany(600)],
    ['never answer', 264, SILENT],
    ['never answer', 1000, SILENT],
  ])('%s: %i of them', async (_, count, answer) => {
    const { f, server, clock } = start({}, ({ url }) => (url.startsWith('https://o') ? answer : 200))
    for (const origin of originsOf(count)) void watch(f(origin, post), clock)
    await clock.advanceAsync(10)
    const calls = Array.from({ length: 20 }, (__, index) => watch(f(`https://good${index}.test/`), clock))
    await clock.advanceAsync(10)
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
    // As they are, each by itself.
    expect(server.requests).toHaveLength(count + 20)
    expect(Object.keys(f.snapshot().buckets)).toHaveLength(count + 20)
    expect(f.snapshot('*')).toBeUndefined()
    expect(f.snapshot('https://never.test')).toBeUndefined()
    await clock.advanceAsync(1e9)
  })

  it('a host that redirects to 300 refusing ones costs nobody else', async () => {
    let redirects = 0
    const { f, clock } = start({ maxRetries: 0 }, ({ url }) => {
      if (!url.startsWith(A)) return 200
      const response = new Response(null, tooMany(600))
      return Object.defineProperty(response, 'url', { value: `https://o${redirects++}.test/` })
    })
    for (const path of paths(300)) {
      const call = watch(f(A + path), clock)
      await clock.advanceAsync(10)
      expect(call.response?.status).toBe(429)
    }
    const other = watch(f(B), clock)
    await clock.advanceAsync(10)
    expect(other.response?.status).toBe(200)
    expect(f.snapshot('https://o299.test')!.gate.open).toBe(false)
    expect(f.snapshot(A)!.gate.open).toBe(true)
  })
})

describe('Retry-After as long as maxWaitMs', () => {
  it('is waited for, whatever fractions the clock has', async () => {
    const statuses: (number | undefined)[] = []
    for (let run = 0; run < 200; run++) {
      const manual = createManualClock()
      const server = createFakeServer(manual, [tooMany(60)])
      // Browsers have hundreds of microseconds, and time passes from one reading to the next.
      let readings = 0
      const clock = { ...manual, now: () => 1e6 / 3 + manual.now() + run / 7 + readings++ / 3e5 }
      const f = createRateLimitedFetch({ clock, fetch: server.fetch, random: () => (run % 10) / 10 })
      const calls = paths(2).map((path) => watch(f(A + path), manual))
      await manual.advanceAsync(30.1 * (run / 200))
      calls.push(watch(f(`${A}/3`), manual))
      await manual.advanceAsync(100_000)
      statuses.push(...statusesOf(calls))
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe('work that does not grow', () => {
  /** Counts how often each member is called. */
  function createCounter() {
    const counts = { isIdle: 0, readyAt: 0, snapshot: 0, before: 0 }
    const shown = {}
    const policy: Policy = () => ({
      isIdle: () => (counts.isIdle++, true),
      readyAt: (now) => (counts.readyAt++, now),
      snapshot: () => (counts.snapshot++, shown),
      before() {
        counts.before++
        return undefined
      },
    })
    return { counts, policy }
  }

  it('a new key looks at a few buckets, however many hang', () => {
    const clock = createManualClock()
    const { counts, policy } = createCounter()
    const f = composeRateLimitedFetch({
      clock,
      policies: [policy],
      fetch: () => new Promise(() => undefined),
    })
    const added: number[] = []
    for (const part of [0, 1, 2, 3]) {
      const before = counts.readyAt + counts.isIdle + counts.snapshot
      for (let index = 0; index < 5000; index++) void f(`https://o${part * 5000 + index}.test`)
      added.push(counts.readyAt + counts.isIdle + counts.snapshot - before)
    }
    expect(f.snapshot().inFlight).toBe(20_000)
    // Each of 5000 calls costs the last of them as much as the first.
    expect(added[3]).toBeLessThanOrEqual(added[0]! + 5000 * 8)
    expect(added[3]).toBe(added[2])
  })

  it('nobody who reads the snapshot costs nothing; twenty readers cost as much as one', async () => {
    const costs: number[] = []
    for (const [readers, buckets] of [
      [0, 1],
      [1, 1],
      [20, 1],
      [1, 256],
      [20, 256],
    ] as const) {
      const { counts, policy } = createCounter()
      const { f, clock } = start({ policies: [policy], pace: 'fixed' })
      const warm = originsOf(buckets).map((origin) => f(origin))
      await clock.advanceAsync(10)
      await Promise.all(warm)
      for (let reader = 0; reader < readers; reader++) f.subscribe(() => f.snapshot())
      f.snapshot()
      counts.snapshot = 0
      for (const path of paths(10)) {
        const call = f(originsOf(1)[0]! + path)
        await clock.advanceAsync(10)
        await call
      }
      costs.push(counts.snapshot)
    }
    const [none, one, twenty, oneOfMany, twentyOfMany] = costs
    expect(none).toBe(0)
    expect(one).toBeGreaterThan(0)
    expect([twenty, oneOfMany, twentyOfMany]).toEqual([one, one, one])
  })

  it('an answer compares a few of those that wait, not all of them', async () => {
    const { counts, policy } = createCounter()
    const started = start({ policies: [policy], concurrency: 4, maxQueue: Infinity }, [tooMany(1)])
    const calls = callAll(started, paths(4000))
    await started.clock.advanceAsync(100_000)
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
    expect(counts.before).toBeLessThan(4000 * 3 * Math.log2(4000))
  })
})

const foreign = (code: string): Error => runInNewContext(code) as Error

describe('errors of another realm or library', () => {
  class FetchError extends Error {
    override name = 'FetchError'
    type = 'system'
  }

  it.each<[string, unknown]>([
    ['a TypeError of another realm', foreign("new TypeError('fetch failed')")],
    ['a FetchError of node-fetch', new FetchError('request failed, reason: connect ECONNREFUSED')],
    [
      'a TimeoutError of another realm',
      foreign("Object.assign(new Error('late'), { name: 'TimeoutError' })"),
    ],
    ['a string', 'failed'],
    ['undefined', undefined],
  ])('%s is a network error: retried, and shouldRetry is asked', async (_, error) => {
    const asked: unknown[] = []
    let calls = 0
    const { f, clock } = start({
      fetch: () => (calls++ === 0 ? Promise.reject(error) : Promise.resolve(new Response())),
      shouldRetry: (attempt) => void asked.push(attempt.error),
    })
    const call = watch(f(A), clock)
    await clock.advanceAsync(0)
    expect(call.response?.status).toBe(200)
    expect(asked).toEqual([error])
    calls = 0
    const created = watch(f(A, post), clock)
    await clock.advanceAsync(1000)
    expect(created).toMatchObject({ state: 'rejected' })
    expect(created.error).toBe(error)
    expect(asked).toHaveLength(2)
  })

  it('an AbortError of another realm is an abort: neither retried nor asked about', async () => {
    const error = foreign("Object.assign(new Error('aborted'), { name: 'AbortError' })")
    const shouldRetry = vi.fn(() => true)
    const { f, clock } = start({ fetch: () => Promise.reject(error), shouldRetry })
    const call = watch(f(A), clock)
    await clock.advanceAsync(5000)
    expect(call.error).toBe(error)
    expect(shouldRetry).not.toHaveBeenCalled()
  })
})

describe('an inner fetch that ignores its signal', () => {
  const deaf = (options: RateLimitedFetchOptions = {}) => {
    let sent = 0
    return { ...start({ fetch: () => (sent++, new Promise(() => undefined)), ...options }), sent: () => sent }
  }

  it('an abort rejects in the same task, and frees the slot', async () => {
    const { f, clock, sent } = deaf({ concurrency: 1 })
    const controller = new AbortController()
    const call = watch(f(`${A}/1`, { signal: controller.signal }), clock)
    const next = new AbortController()
    const second = watch(f(`${A}/2`, { signal: next.signal }), clock)
    const reason = new Error('mine')
    controller.abort(reason)
    await clock.advanceAsync(0)
    expect(call.error).toBe(reason)
    expect(sent()).toBe(2)
    next.abort(reason)
    await clock.advanceAsync(0)
    expect(second.error).toBe(reason)
    expect(f.snapshot(A)).toMatchObject({ inFlight: 0, queued: 0 })
  })

  it('attemptTimeoutMs ends each attempt, and the call with a TimeoutError', async () => {
    const { f, clock, sent } = deaf({ attemptTimeoutMs: 100 })
    const call = watch(f(A), clock)
    await clock.advanceAsync(300)
    expect(sent()).toBe(3)
    expect(call).toMatchObject({ state: 'rejected', at: 300, error: { name: 'TimeoutError' } })
  })

  it('totalTimeoutMs ends the call with a deadline that does not say that nothing was sent', async () => {
    const { f, clock } = deaf({ totalTimeoutMs: 100 })
    const call = watch(f(A), clock)
    await clock.advanceAsync(100)
    expect(call).toMatchObject({ state: 'rejected', at: 100, error: { code: 'deadline' } })
    expect((call.error as Error).message).not.toContain('not sent')
    expect(f.snapshot(A)).toMatchObject({ inFlight: 0 })
  })
})

describe('a fetch of another library, and platforms without Request', () => {
  /** As undici's: the platform's Request is no input that it knows. */
  function createForeignFetch() {
    const seen: { url: string; method: string; headers: [string, string][]; body: unknown }[] = []
    class ForeignRequest {
      readonly url: string
      readonly method: string
      readonly signal = new AbortController().signal
      readonly headers: Headers
      readonly body = null
      readonly bodyUsed = false
      constructor(input: string | ForeignRequest, init: RequestInit = {}) {
        this.url = typeof input === 'string' ? new URL(input).href : input.url
        this.method = init.method ?? (typeof input === 'string' ? 'GET' : input.method)
        this.headers = new Headers(init.headers ?? (typeof input === 'string' ? undefined : input.headers))
      }
    }
    const PlatformRequest = globalThis.Request as typeof Request | undefined
    const fetch = ((input: unknown, init: RequestInit = {}) => {
      const isKnown = typeof input === 'string' || input instanceof URL || input instanceof ForeignRequest
      if (!isKnown || (PlatformRequest && input instanceof PlatformRequest))
        return Promise.reject(new TypeError('Failed to parse URL from [object Request]'))
      const { url, method, headers } = new ForeignRequest(
        input instanceof ForeignRequest ? input : String(input),
        init,
      )
      seen.push({ url, method, headers: [...headers], body: init.body })
      return Promise.resolve(new Response(null, { status: seen.length === 1 ? 503 : 200 }))
    }) as typeof globalThis.fetch
    return { fetch, seen, ForeignRequest }
  }

  const inits: [string, RequestInit | undefined][] = [
    ['a plain GET', undefined],
    ['headers', { headers: { accept: 'text/plain' } }],
    ['a mode and a cache', { cache: 'no-store', credentials: 'include' }],
    ['a PUT of JSON', { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } }],
    ['a PUT of bytes', { method: 'PUT', body: new Uint8Array([1, 2]) }],
    ['a signal', { method: 'DELETE', signal: new AbortController().signal }],
  ]

  for (const hasRequest of [true, false])
    describe(hasRequest ? 'with the Request of the platform' : 'without any', () => {
      it.each(inits)('%s is sent, and retried', async (_, init) => {
        if (!hasRequest) vi.stubGlobal('Request', undefined)
        const { fetch, seen } = createForeignFetch()
        const clock = createManualClock()
        const f = createRateLimitedFetch({ fetch, clock, random: () => 0, attemptTimeoutMs: 1000 })
        const call = watch(f(`${A}/path`, init), clock)
        expect(seen).toHaveLength(1)
        await clock.advanceAsync(100)
        expect(call.response?.status).toBe(200)
        const sent = { url: `${A}/path`, method: init?.method ?? 'GET', body: init?.body }
        expect(seen).toMatchObject([sent, sent])
        expect(seen[0]!.headers).toEqual([...new Headers(init?.headers)])
        expect(clock.pending).toBe(0)
      })

      it('a key of the user and shouldRetry see the URL and the method', async () => {
        if (!hasRequest) vi.stubGlobal('Request', undefined)
        const { fetch } = createForeignFetch()
        const urls: string[] = []
        const { f, clock } = start({
          fetch,
          key: ({ url, method }) => `${method} ${url}`,
          shouldRetry: ({ request }) => void urls.push(`${request.method} ${request.url}`),
        })
        const call = watch(f(`${A}/`, { method: 'PUT' }), clock)
        await clock.advanceAsync(100)
        expect(call.response?.status).toBe(200)
        expect(Object.keys(f.snapshot().buckets)).toEqual([`PUT ${A}/`])
        expect(urls).toEqual([`PUT ${A}/`])
      })

      it('a Request of its own goes on as one', async () => {
        if (!hasRequest) vi.stubGlobal('Request', undefined)
        const { fetch, seen, ForeignRequest } = createForeignFetch()
        const { f, clock } = start({ fetch })
        const input = new ForeignRequest(`${A}/own`, { method: 'PUT', headers: { a: 'b' } })
        const call = watch(f(input as unknown as Request), clock)
        await clock.advanceAsync(100)
        expect(call.response?.status).toBe(200)
        expect(seen).toMatchObject(Array(2).fill({ url: `${A}/own`, method: 'PUT', headers: [['a', 'b']] }))
      })
    })
})

describe('shouldRetry that returns a promise', () => {
  const inAWhile =
    <Value>(clock: () => { after: (ms: number, callback: () => void) => unknown }, value: Value) =>
    (): Promise<Value> =>
      new Promise((resolve) => void clock().after(100, () => resolve(value)))

  it.each<[string, RetryDecision, number[], Record<string, string>?]>([
    ['false', false, [0]],
    ['true', true, [0, 110]],
    ['undefined', undefined, [0, 110]],
    ['a delay', { delayMs: 500 }, [0, 610]],
    ['a delay shorter than what the server asks', { delayMs: 1 }, [0, 2110], { 'retry-after': '2' }],
  ])('%s counts once it is there', async (_, decision, at, headers = {}) => {
    const started = start({ shouldRetry: inAWhile(() => started.clock, decision) }, [
      { status: 500, headers },
    ])
    const calls = callAll(started, ['/'])
    await started.clock.advanceAsync(5000)
    expect(started.server.at()).toEqual(at)
    expect(statusesOf(calls)).toEqual([decision === false ? 500 : 200])
  })

  it('the slot is free meanwhile, and an abort ends the call at once and for good', async () => {
    const started = start({ concurrency: 1, shouldRetry: inAWhile(() => started.clock, true) }, [500])
    const { f, clock, server, events } = started
    const controller = new AbortController()
    const call = watch(f(`${A}/1`, { signal: controller.signal }), clock)
    await clock.advanceAsync(10)
    const [other] = callAll(started, ['/2'])
    expect(server.paths()).toEqual(['/1', '/2'])
    expect(f.snapshot(A)).toMatchObject({ sleeping: 1, inFlight: 1 })
    await clock.advanceAsync(20)
    controller.abort()
    await clock.advanceAsync(0)
    expect(call.error).toBe(controller.signal.reason)
    await clock.advanceAsync(5000)
    expect(other!.response?.status).toBe(200)
    expect(server.requests).toHaveLength(2)
    expect(f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
    // Nothing is heard of it after its end.
    expect(events.filter((event) => 'call' in event && event.call === 1).at(-1)!.type).toBe('abort')
  })

  it('its call counts as pending until the decision is there, also for dispose', async () => {
    const started = start({ shouldRetry: inAWhile(() => started.clock, true) }, [500])
    const calls = callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    started.f.dispose()
    await started.clock.advanceAsync(5000)
    expect(statesOf(calls)).not.toContain('pending')
    expect(started.server.requests).toHaveLength(1)
  })

  it('one that rejects costs that call only', async () => {
    const error = new Error('of the hook')
    const started = start({ concurrency: 1, shouldRetry: () => Promise.reject(error) }, [500])
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(100)
    expect(calls[0]!.error).toBe(error)
    expect(calls[1]!.response?.status).toBe(200)
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
  })
})

describe('what bounds a wait', () => {
  it('throwOnThrottle frees the slot of the refused call', async () => {
    const started = start({ throwOnThrottle: true, maxRetries: 0, concurrency: 1 }, [tooMany(1)])
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(10)
    expect(calls[0]!.error).toMatchObject({ code: 'throttled' })
    expect(started.f.snapshot(A)).toMatchObject({ inFlight: 0, queued: 1 })
    await started.clock.advanceAsync(2000)
    expect(calls[1]!.response?.status).toBe(200)
  })

  it('maxWaitMs does not bound the wait in a long queue, totalTimeoutMs does', async () => {
    const started = start({ maxQueue: Infinity, concurrency: 1, maxWaitMs: 1000 }, () => ({
      status: 200,
      latencyMs: 1000,
    }))
    const calls = callAll(started, paths(100))
    const bounded = watch(started.f(`${A}/last`, { rateLimit: { totalTimeoutMs: 5000 } }), started.clock)
    await started.clock.advanceAsync(200_000)
    expect(calls.at(-1)).toMatchObject({ state: 'resolved', at: 100_000 })
    expect(bounded).toMatchObject({ state: 'rejected', at: 5000, error: { code: 'deadline' } })
  })
})

describe('a fetch that is only made', () => {
  it('reads no clock, draws nothing, and listens to nothing before its first call', async () => {
    const manual = createManualClock()
    const server = createFakeServer(manual)
    let isUsed = false
    const onceUsed = <Value>(read: () => Value): Value => {
      if (!isUsed) throw new Error('Read before the first call')
      return read()
    }
    const listen = vi.fn()
    vi.stubGlobal('addEventListener', listen)
    const f = createRateLimitedFetch({
      fetch: server.fetch,
      ratePerSecond: 10,
      random: () => onceUsed(() => 0),
      clock: {
        ...manual,
        now: () => onceUsed(manual.now),
        wall: () => onceUsed(manual.wall),
        after: (ms, callback) => onceUsed(() => manual.after(ms, callback)),
      },
    })
    f.subscribe(() => undefined)()
    expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 0, buckets: {} })
    expect(f.snapshot(A)).toBeUndefined()
    f.configure({ maxRetries: 1 })
    f.reset()
    isUsed = true
    const call = watch(f(A), manual)
    await manual.advanceAsync(10)
    expect(call.response?.status).toBe(200)
    expect(listen).not.toHaveBeenCalled()
  })
})
