import type { FetchEvent, RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, start, watch } from '../fixtures/start.ts'

type Row = [at: number, type: FetchEvent['type'], detail?: object]

/** The events as rows, which all must be of the bucket of `A`; what is undefined is left out. */
function rowsOf(events: readonly FetchEvent[]): Row[] {
  return events.map(({ at, type, key, ...detail }) => {
    expect(key).toBe(A)
    return Object.keys(detail).length > 0 ? [at, type, detail] : [at, type]
  })
}

describe('R151 the events', () => {
  it('R151 of one 429 and two more calls during the pause', async () => {
    const started = start({}, [tooMany(1)])
    const { clock, events } = started
    callAll(started, ['/1'])
    await clock.advanceAsync(500)
    callAll(started, ['/2', '/3'])
    await clock.advanceAsync(5000)
    expect(rowsOf(events)).toEqual([
      [0, 'enqueue', { call: 1 }],
      [0, 'dispatch', { call: 1, attempt: 1 }],
      [10, 'response', { call: 1, attempt: 1, status: 429, retryAfterMs: 1000 }],
      [10, 'throttled', { call: 1, ms: 1000, source: 'retry-after:delay' }],
      [10, 'gate-closed', { until: 1010, ms: 1000, source: 'retry-after:delay' }],
      [10, 'retry', { call: 1, attempt: 2, delayMs: 1000, reason: 'throttle' }],
      [500, 'enqueue', { call: 2 }],
      [500, 'enqueue', { call: 3 }],
      [1010, 'gate-opened'],
      [1010, 'gate-probe', { call: 1, early: false }],
      [1010, 'dispatch', { call: 1, attempt: 2 }],
      [1020, 'response', { call: 1, attempt: 2, status: 200 }],
      [1020, 'dispatch', { call: 2, attempt: 1 }],
      [1020, 'dispatch', { call: 3, attempt: 1 }],
      [1030, 'response', { call: 2, attempt: 1, status: 200 }],
      [1030, 'response', { call: 3, attempt: 1, status: 200 }],
    ])
  })

  it('R151 of a network error, a failure, and a throttle too many', async () => {
    const error = networkError()
    const started = start({ random: () => 0.5 }, [error, 500, tooMany()])
    const { clock, events } = started
    callAll(started, ['/1'])
    await clock.advanceAsync(5000)
    expect(rowsOf(events)).toEqual([
      [0, 'enqueue', { call: 1 }],
      [0, 'dispatch', { call: 1, attempt: 1 }],
      [10, 'error', { call: 1, attempt: 1, error }],
      [10, 'retry', { call: 1, attempt: 2, delayMs: 250, reason: 'failure' }],
      [260, 'dispatch', { call: 1, attempt: 2 }],
      [270, 'response', { call: 1, attempt: 2, status: 500 }],
      [270, 'retry', { call: 1, attempt: 3, delayMs: 500, reason: 'failure' }],
      [770, 'dispatch', { call: 1, attempt: 3 }],
      [780, 'response', { call: 1, attempt: 3, status: 429 }],
      [780, 'throttled', { call: 1, ms: 750, source: 'backoff' }],
      [780, 'gate-closed', { until: 1530, ms: 750, source: 'backoff' }],
      [780, 'give-up', { call: 1, reason: 'attempts' }],
    ])
  })

  it.each([
    ['attempts', { maxRetries: 0 }, 500, {}],
    ['method', {}, 500, { method: 'POST' }],
    ['body', {}, 500, { method: 'PUT', body: new Blob(['x']).stream(), duplex: 'half' }],
    ['wait', { maxWaitMs: 500 }, tooMany(1), {}],
  ] as const)('R151 give-up says why: %s', async (reason, options, answer, init) => {
    const started = start(options, [answer])
    callAll(started, ['/'], init)
    await started.clock.advanceAsync(10)
    expect(started.events.at(-1)).toEqual({ type: 'give-up', key: A, at: 10, call: 1, reason })
  })

  it('R151 R22 a response tells what the server says of its limits, and nothing if it says nothing', async () => {
    const started = start({}, [
      { status: 200, headers: { ratelimit: '"a";r=9;t=5', 'ratelimit-policy': '"a";q=10;w=5' } },
    ])
    callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    callAll(started, ['/2'])
    await started.clock.advanceAsync(6000)
    const [first, second] = started.events.filter(({ type }) => type === 'response')
    expect(first).toMatchObject({
      limits: [{ name: 'a', available: 9 }],
      policies: [{ name: 'a', quota: 10 }],
    })
    expect(second).not.toHaveProperty('limits')
  })

  it.each<[string, RateLimitedFetchOptions, Answer[], string]>([
    ['is given up', { maxRetries: 0 }, [500], 'resolved at 10'],
    ['fails for good', { maxRetries: 0 }, [networkError()], 'rejected at 10'],
    ['is sent again', { random: () => 0.5 }, [500], 'resolved at 270'],
    ['is throttled', {}, [tooMany(1)], 'resolved at 1020'],
    ['would wait too long', { maxWaitMs: 100, methods: [] }, [tooMany(1)], 'resolved at 10'],
  ])('R151 a call that %s does so if nobody hears of it', async (_, options, answers, end) => {
    const started = start({ onEvent: undefined, ...options }, answers)
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(5000)
    expect(`${call!.state} at ${call!.at}`).toBe(end)
  })

  it('R151 a call is refused, and another aborted, if nobody hears of it', async () => {
    const controller = new AbortController()
    const started = start({ onEvent: undefined, concurrency: 1, maxQueue: 1 })
    const { f, clock } = started
    const calls = [
      ...callAll(started, ['/sent']),
      watch(f(`${A}/aborted`, { signal: controller.signal }), clock),
      ...callAll(started, ['/refused']),
    ]
    controller.abort()
    await clock.advanceAsync(10)
    expect(calls.map(({ state, at }) => `${state} at ${at}`)).toEqual([
      'resolved at 10',
      'rejected at 0',
      'rejected at 0',
    ])
    expect(calls[2]!.error).toMatchObject({ code: 'queue-full' })
  })

  it('R145 events hold no headers and no URL', async () => {
    const { f, clock, events } = start({}, [tooMany(1)])
    const call = f(`${A}/path?token=secret`, { headers: { authorization: 'secret' } })
    await clock.advanceAsync(2000)
    await call
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(JSON.stringify(events)).not.toContain('path')
  })

  it('R155 times are instants of the clock', async () => {
    const started = start({}, [tooMany(1)])
    const { clock, events } = started
    clock.setWall(Date.UTC(2026, 7, 22))
    clock.advance(5)
    callAll(started, ['/'])
    await clock.advanceAsync(5000)
    expect(events[0]!.at).toBe(5)
    expect(events.find(({ type }) => type === 'gate-closed')).toMatchObject({ at: 15, until: 1015 })
  })
})

describe('R153 the source of a wait', () => {
  it.each([
    ['retry-after-ms', { 'retry-after-ms': '1500' }, 1500],
    // As long as the own backoff.
    ['retry-after-ms', { 'retry-after-ms': '500' }, 500],
    ['retry-after:delay', { 'retry-after': '2' }, 2000],
    ['retry-after:delay', { 'retry-after': '1, 5' }, 5000],
    ['backoff', { 'retry-after': '0' }, 500],
    [
      'retry-after:date',
      { 'retry-after': 'Thu, 01 Jan 1970 00:00:03 GMT', date: 'Thu, 01 Jan 1970 00:00:00 GMT' },
      3000,
    ],
    ['ratelimit', { ratelimit: '"default";r=0;t=4' }, 4000],
    ['ratelimit-legacy', { 'ratelimit-reset': '5' }, 5000],
    ['x-ratelimit', { 'x-ratelimit-reset': '6' }, 6000],
    ['backoff', {}, 500],
    ['backoff', { 'retry-after': 'soon' }, 500],
  ])('R153 is %s for %j', async (source, headers, ms) => {
    const started = start({}, [{ status: 429, headers }])
    const { f, clock, events } = started
    callAll(started, ['/'])
    await clock.advanceAsync(10)
    expect(events.find(({ type }) => type === 'throttled')).toMatchObject({ source, ms })
    expect(events.find(({ type }) => type === 'gate-closed')).toMatchObject({ source, ms })
    expect(f.snapshot(A)?.gate).toMatchObject({ open: false, source, remainingMs: ms })
    await clock.advanceAsync(10_000)
  })

  it.each([200, 400, 404, 599])(
    'R153 is backoff of a %i that isThrottled knows, and nobody is warned',
    async (status) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      onTestFinished(() => warn.mockRestore())
      const started = start({ isThrottled: () => true, maxRetries: 0 }, [status])
      callAll(started, ['/'])
      await started.clock.advanceAsync(10)
      expect(started.events.find(({ type }) => type === 'throttled')).toMatchObject({
        source: 'backoff',
        ms: 500,
      })
      expect(warn).not.toHaveBeenCalled()
    },
  )

  it('R153 R20 is none of a 429 of another origin, of whose fields nothing is known', async () => {
    const refusal = (): Response =>
      Object.defineProperty(new Response(null, { status: 429 }), 'type', { value: 'cors' })
    const started = start({ maxRetries: 1 }, [refusal(), refusal()])
    callAll(started, ['/'])
    await started.clock.advanceAsync(1000)
    expect(started.events.filter(({ type }) => type === 'throttled')).toMatchObject([
      { source: 'none', ms: 500 },
      { source: 'none', ms: 1000 },
    ])
  })

  it('R153 is manual while it is paused by hand', () => {
    const { f } = start()
    f.pause(A)
    expect(f.snapshot(A)?.gate).toMatchObject({ open: false, source: 'manual' })
  })
})
