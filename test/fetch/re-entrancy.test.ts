import type { Breaker, FetchEvent, RateLimitedFetch, RateLimitedFetchOptions } from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { networkError, tooMany, type Answer } from './fake-server.ts'
import { A, callAll, paths, start, statesOf, statusesOf, watch, type Started } from './start.ts'

// Where the errors are reported that concern no call. Node has none.
beforeEach(() => void vi.stubGlobal('reportError', vi.fn()))
afterEach(() => void vi.unstubAllGlobals())

const fail = (): never => {
  throw new Error('thrown by a function of the user')
}

/** A fetch that is disposed of, or whose first call is aborted, by a listener of the first event of `type`. */
function startWith(
  type: FetchEvent['type'] | undefined,
  act: (f: RateLimitedFetch, abort: () => void) => void,
  answers: readonly Answer[] = [],
  options: RateLimitedFetchOptions = {},
): Started & { signal: AbortSignal; reason: Error; act: () => void } {
  const controller = new AbortController()
  const reason = new Error('mine')
  const events: FetchEvent[] = []
  let isFirst = true
  const once = (): void => {
    if (!isFirst) return
    isFirst = false
    act(started.f, () => controller.abort(reason))
  }
  const started = start(
    {
      onEvent(event) {
        events.push(event)
        if (event.type === type) once()
      },
      ...options,
    },
    answers,
  )
  return { ...started, events, signal: controller.signal, reason, act: once }
}

/** How often each call was settled: 1, whatever happens. */
function endsOf(events: readonly FetchEvent[]): Record<number, number> {
  const ends: Record<number, number> = {}
  for (const event of events)
    if (event.type === 'drop' || event.type === 'abort') ends[event.call] = (ends[event.call] ?? 0) + 1
  return ends
}

const isAbortError = { name: 'AbortError' }

describe('R80 dispose, from a function of the user', () => {
  it.each(['enqueue', 'dispatch', 'response', 'throttled', 'gate-closed', 'retry', 'error'] as const)(
    'R80 of the event %s: what is not in flight is rejected, and nothing is sent afterwards',
    async (type) => {
      const answers = type === 'error' ? [networkError()] : [tooMany(1)]
      const started = startWith(type, (f) => f.dispose(), answers, { random: () => 0.5 })
      const { server, clock } = started
      const calls = callAll(started, paths(2))
      const sent = type === 'enqueue' ? 0 : type === 'dispatch' ? 1 : 2
      await clock.advanceAsync(100_000)
      expect(server.requests).toHaveLength(sent)
      expect(statesOf(calls)).not.toContain('pending')
      if (type === 'enqueue' || type === 'dispatch') expect(calls[1]!.error).toMatchObject(isAbortError)
      if (type === 'enqueue') expect(calls[0]!.error).toMatchObject(isAbortError)
    },
  )

  it('R80 of the event enqueue, where the call would have to wait', async () => {
    const started = startWith('enqueue', (f) => f.dispose())
    started.f.pause()
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(0)
    expect(calls[0]!.error).toMatchObject(isAbortError)
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0 })
  })

  it.each<[string, (act: () => void) => RateLimitedFetchOptions]>([
    ['key', (act) => ({ key: () => (act(), 'key') })],
    ['breaker', (act) => ({ breaker: { beforeDispatch: act, afterAttempt: () => undefined } })],
  ])('R80 of %s, before the call is sent', async (_, optionsOf) => {
    const started = startWith(
      undefined,
      (f) => f.dispose(),
      [],
      optionsOf(() => started.act()),
    )
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(100)
    expect(calls[0]!.error).toMatchObject(isAbortError)
    expect(started.server.requests).toHaveLength(0)
  })

  it.each<[string, (act: () => void) => RateLimitedFetchOptions]>([
    ['isThrottled', (act) => ({ isThrottled: () => (act(), false) })],
    ['shouldRetry', (act) => ({ shouldRetry: () => (act(), undefined) })],
    ['backoff', (act) => ({ backoff: () => (act(), 10) })],
    ['random', (act) => ({ random: () => (act(), 0.5) })],
  ])('R80 of %s: the call in flight finishes with what there is', async (_, optionsOf) => {
    const started = startWith(
      undefined,
      (f) => f.dispose(),
      [500],
      optionsOf(() => started.act()),
    )
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(100_000)
    expect(statusesOf(calls)).toEqual([500])
    expect(started.server.requests).toHaveLength(1)
  })
})

describe('R103 R104 abort, from a function of the user', () => {
  it.each(['throttled', 'gate-closed', 'retry', 'response', 'error'] as const)(
    'R104 of the event %s: the call rejects at once, and is not sent again',
    async (type) => {
      const answers = type === 'error' ? [networkError()] : [tooMany(1)]
      const { f, server, clock, signal, reason } = startWith(type, (_, abort) => abort(), answers, {
        random: () => 0.5,
      })
      const call = watch(f(`${A}/`, { signal }), clock)
      await clock.advanceAsync(10)
      expect(call).toMatchObject({ state: 'rejected', at: 10 })
      expect(call.error).toBe(reason)
      await clock.advanceAsync(5000)
      expect(server.requests).toHaveLength(1)
      expect(f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 0 })
    },
  )

  it('R103 of a breaker: the call rejects at once, and is not sent', async () => {
    const breaker: Breaker = { beforeDispatch: () => started.act(), afterAttempt: () => undefined }
    const started = startWith(undefined, (_, abort) => abort(), [], { breaker, totalTimeoutMs: 1000 })
    const { f, server, clock, signal, reason, events } = started
    const call = watch(f(`${A}/`, { signal }), clock)
    await clock.advanceAsync(0)
    expect(call.error).toBe(reason)
    expect(clock.pending).toBe(0)
    expect(server.requests).toHaveLength(0)
    expect(endsOf(events)).toEqual({ 1: 1 })
  })

  it('R152 of the event drop: each call has one end, those that are disposed of with it too', async () => {
    const started = startWith('drop', (_, abort) => abort())
    const { f, clock, signal, events } = started
    f.pause()
    const calls = Array.from({ length: 3 }, () => watch(f(`${A}/`, { signal }), clock))
    f.dispose()
    await clock.advanceAsync(0)
    expect(statesOf(calls)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(endsOf(events)).toEqual({ 1: 1, 2: 1, 3: 1 })
  })

  it('R152 of the event drop: each call has one end, those that would wait too long with it too', async () => {
    const started = startWith('drop', (_, abort) => abort(), [tooMany(100)], { concurrency: 1 })
    const { f, clock, signal, events } = started
    const calls = callAll(started, ['/1'], { method: 'POST' })
    calls.push(...Array.from({ length: 3 }, () => watch(f(`${A}/`, { signal }), clock)))
    await clock.advanceAsync(10)
    expect(statesOf(calls)).toEqual(['resolved', 'rejected', 'rejected', 'rejected'])
    expect(endsOf(events)).toEqual({ 2: 1, 3: 1, 4: 1 })
  })
})

describe('R151 calls, from a listener of events', () => {
  it.each(['gate-opened', 'gate-closed', 'throttled', 'retry', 'response', 'gate-probe'] as const)(
    'R151 of %s: each is told once, and the call is made in its turn',
    async (type) => {
      const more: ReturnType<typeof watch>[] = []
      const { f, server, clock, events } = startWith(
        type,
        (f) => {
          for (const path of paths(3)) more.push(watch(f(A + path), clock))
        },
        [tooMany(1)],
      )
      const call = watch(f(`${A}/0`), clock)
      await clock.advanceAsync(60_000)
      expect([call, ...more].map(({ response }) => response?.status)).toEqual([200, 200, 200, 200])
      expect(events.filter((event) => event.type === 'gate-opened')).toHaveLength(1)
      expect(events.filter((event) => event.type === 'gate-closed')).toHaveLength(1)
      expect(server.early).toEqual([])
    },
  )

  it('R151 of gate-opened, each time that it is heard: no call begets another', async () => {
    const { f, clock, events } = start(
      { onEvent: (event) => (events_.push(event), event.type === 'gate-opened' && void f(`${A}/more`)) },
      [tooMany(1)],
    )
    const call = watch(f(`${A}/0`), clock)
    await clock.advanceAsync(60_000)
    expect(call.response?.status).toBe(200)
    expect(events_.filter(({ type }) => type === 'gate-opened')).toHaveLength(1)
    expect(events).toEqual([])
  })
  const events_: FetchEvent[] = []

  it('R151 configure, pause and reset in a listener of every event: no call is lost', async () => {
    let count = 0
    const started = start(
      {
        onEvent() {
          const step = count++ % 5
          if (step === 0) started.f.configure({ concurrency: (count % 3) + 1 })
          if (step === 1) started.f.pause(A)
          if (step === 2) started.f.reset()
          if (step === 3) started.f.resume(A)
          if (step === 4) started.f.configure({ maxQueue: 100, ratePerSecond: 1000 })
        },
      },
      [tooMany(1), 500, networkError()],
    )
    const calls = callAll(started, paths(20))
    for (let second = 0; second < 60; second++) {
      started.f.resume(A)
      await started.clock.advanceAsync(1000)
    }
    expect(statesOf(calls)).not.toContain('pending')
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 0 })
    started.f.resume()
  })
})

describe('R149 shouldRetry and the others that throw', () => {
  it.each<[string, Answer]>([
    ['a failure', 500],
    ['a network error', networkError()],
    ['a throttle', tooMany(1)],
  ])('R149 shouldRetry, after %s: it costs that call, and its slot is freed once', async (_, answer) => {
    const started = start({ concurrency: 1, shouldRetry: fail }, [answer])
    const [bad] = callAll(started, ['/bad'])
    await started.clock.advanceAsync(20)
    expect(bad!.state).toBe('rejected')
    started.f.configure({ shouldRetry: undefined })
    const good = callAll(started, paths(3))
    await started.clock.advanceAsync(5000)
    expect(statusesOf(good)).toEqual([200, 200, 200])
    expect(started.server.peak).toBe(1)
  })

  it.each<[string, RateLimitedFetchOptions, Answer]>([
    ['shouldRetry', { shouldRetry: fail }, 500],
    ['holdSlot', { holdSlot: fail }, 200],
    ['isGlobal', { isGlobal: fail, key: () => ['all', 'own'] }, 200],
    ['retryNonIdempotent', { retryNonIdempotent: fail, headerless: 'request' }, tooMany()],
  ])('R149 %s: the first window stays 8 wide', async (_, options, answer) => {
    const started = start(options, (__, index) => (index < 3 ? answer : { status: 204, latencyMs: 1000 }))
    callAll(started, paths(3), { method: 'POST' })
    await started.clock.advanceAsync(10)
    started.f.configure({ shouldRetry: undefined, holdSlot: undefined, isGlobal: undefined })
    callAll(started, paths(20))
    expect(started.server.inFlight).toBeLessThanOrEqual(8)
    await started.clock.advanceAsync(60_000)
  })

  it('R149 holdSlot: it holds no slot', async () => {
    const started = start({ holdSlot: fail, concurrency: 1 })
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(100)
    expect(statesOf(calls)).not.toContain('pending')
  })

  it('R149 promotion: it changes nothing', async () => {
    const { f, server, clock } = start({ concurrency: 1 })
    const calls = [watch(f(`${A}/1`), clock), watch(f(`${A}/2`, { rateLimit: { promotion: fail } }), clock)]
    await clock.advanceAsync(100)
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(server.paths()).toEqual(['/1', '/2'])
  })

  it.each(['beforeDispatch', 'afterAttempt'] as const)(
    'R149 the breaker, in %s: its slot is freed',
    async (name) => {
      const breaker = { beforeDispatch: () => undefined, afterAttempt: () => undefined, [name]: fail }
      const started = start({ breaker, concurrency: 1 }, [500, networkError(), tooMany(1)])
      const calls = callAll(started, paths(3))
      await started.clock.advanceAsync(60_000)
      expect(statesOf(calls)).not.toContain('pending')
      expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
    },
  )
})
