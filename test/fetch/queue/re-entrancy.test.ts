import {
  priorities,
  queueTimeout,
  type CallOptions,
  type FetchEvent,
  type Policy,
  type Priority,
  type RateLimitedFetchOptions,
} from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, statesOf, statusesOf, watch, start } from '../fixtures/start.ts'
import { startWith } from '../fixtures/start.ts'

// Where the errors are reported that concern no call. Node has none.
beforeEach(() => void vi.stubGlobal('reportError', vi.fn()))
afterEach(() => void vi.unstubAllGlobals())

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

  it.each<[string, (act: () => void) => RateLimitedFetchOptions]>([
    ['key', (act) => ({ key: () => (act(), 'key') })],
    ['the member admit of a policy', (act) => ({ policies: [() => ({ admit: act })] })],
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

  it('of the member admit of a policy: the call rejects at once, and is not sent', async () => {
    const policies: Policy[] = [() => ({ admit: () => started.act() })]
    const started = startWith(undefined, (_, abort) => abort(), [], { policies, totalTimeoutMs: 1000 })
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

  it('R152 R117 of the event drop: what is refused cannot be promoted any more', async () => {
    let promote!: (priority: Priority) => void
    const started = startWith('drop', () => promote('high'), [], {
      concurrency: 1,
      policies: [priorities(), queueTimeout(Infinity)],
    })
    const { f, server, clock } = started
    const rateLimit: CallOptions = { queueTimeoutMs: 5, promotion: (given) => (promote = given) }
    const calls = [watch(f(`${A}/1`), clock), watch(f(`${A}/2`, { rateLimit }), clock)]
    await clock.advanceAsync(100)
    expect(statusesOf(calls)).toEqual([200, undefined])
    expect(calls[1]!.error).toMatchObject({ code: 'queue-timeout' })
    expect(server.paths()).toEqual(['/1'])
    expect(f.snapshot(A)).toMatchObject({ queued: 0 })
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
