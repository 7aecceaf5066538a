import type { FetchEvent, RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { networkError } from '../fixtures/fake-server.ts'
import { A, callAll, endOf, run, start, watch } from '../fixtures/start.ts'

/** The events as texts: `at type`, and what else they say, in its order. */
const rowsOf = (events: readonly FetchEvent[]): string[] =>
  events.map(({ at, type, key, ...detail }) => {
    expect(key).toBe(A)
    const said = Object.entries(detail).filter(([, value]) => value !== undefined)
    const rest = said.map(([name, value]) => `${name}=${String(value)}`)
    return [at, type, ...rest].join(' ')
  })

describe('the events', () => {
  it('of one 429 and two more calls during the pause', async () => {
    const { events } = await run({ calls: '/1 500:/2 /3', answers: '429/1' })
    expect(rowsOf(events)).toEqual([
      '0 enqueue call=1',
      '0 dispatch call=1 attempt=1',
      '10 response call=1 attempt=1 status=429 retryAfterMs=1000',
      '10 throttled call=1 ms=1000 source=retry-after:delay',
      '10 gate-closed until=1010 ms=1000 source=retry-after:delay',
      '10 retry call=1 attempt=2 delayMs=1000 reason=throttle',
      '500 enqueue call=2',
      '500 enqueue call=3',
      '1010 gate-opened',
      '1010 gate-probe call=1 early=false',
      '1010 dispatch call=1 attempt=2',
      '1020 response call=1 attempt=2 status=200',
      '1020 dispatch call=2 attempt=1',
      '1020 dispatch call=3 attempt=1',
      '1030 response call=2 attempt=1 status=200',
      '1030 response call=3 attempt=1 status=200',
    ])
  })

  it('of a network error, a failure, and a throttle too many', async () => {
    const { events } = await run({ calls: '/1', answers: 'x 500 429', options: { random: () => 0.5 } })
    expect(rowsOf(events)).toEqual([
      '0 enqueue call=1',
      '0 dispatch call=1 attempt=1',
      '10 error call=1 attempt=1 error=TypeError: fetch failed',
      '10 retry call=1 attempt=2 delayMs=250 reason=failure',
      '260 dispatch call=1 attempt=2',
      '270 response call=1 attempt=2 status=500',
      '270 retry call=1 attempt=3 delayMs=500 reason=failure',
      '770 dispatch call=1 attempt=3',
      '780 response call=1 attempt=3 status=429',
      '780 throttled call=1 ms=750 source=backoff',
      '780 gate-closed until=1530 ms=750 source=backoff',
      '780 give-up call=1 reason=attempts',
    ])
  })

  it.each<[reason: string, RateLimitedFetchOptions, string, RequestInit]>([
    ['attempts', { maxRetries: 0 }, '500', {}],
    ['method', {}, '500', { method: 'POST' }],
    ['body', {}, '500', { method: 'PUT', body: new Blob(['x']).stream(), duplex: 'half' } as RequestInit],
    ['wait', { maxWaitMs: 500 }, '429/1', {}],
  ])('give-up says why: %s', async (reason, options, answers, init) => {
    const { events } = await run({ calls: '/', answers, init, options, untilMs: 10 })
    expect(events.at(-1)).toEqual({ type: 'give-up', key: A, at: 10, call: 1, reason })
  })

  it('a response shows what the server says of its limits, and nothing if it says nothing', async () => {
    const headers = { ratelimit: '"a";r=9;t=5', 'ratelimit-policy': '"a";q=10;w=5' }
    const { events } = await run({ calls: '/1 10:/2', answers: [{ status: 200, headers }] })
    const [first, second] = events.filter(({ type }) => type === 'response')
    const limits = [{ name: 'a', available: 9 }]
    expect(first).toMatchObject({ limits, policies: [{ name: 'a', quota: 10 }] })
    expect(second).not.toHaveProperty('limits')
  })

  it.each<[what: string, RateLimitedFetchOptions, answers: string, end: string]>([
    ['is given up', { maxRetries: 0 }, '500', '500@10'],
    ['fails for good', { maxRetries: 0 }, 'x', 'TypeError@10'],
    ['is sent again', { random: () => 0.5 }, '500', '200@270'],
    ['is throttled', {}, '429/1', '200@1020'],
    ['would wait too long', { maxWaitMs: 100, methods: [] }, '429/1', '429@10'],
  ])('a call that %s does so if nobody hears of it', async (_, options, answers, end) => {
    expect((await run({ calls: '/', answers, options: { onEvent: undefined, ...options } })).ends).toBe(end)
  })

  it('a call is refused, and another aborted, if nobody hears of it', async () => {
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
    expect(calls.map(endOf)).toEqual(['200@10', 'AbortError@0', 'queue-full@0'])
  })

  it('events hold no headers and no URL', async () => {
    const init = { headers: { authorization: 'secret' } }
    const { events } = await run({ calls: '/path?token=secret', answers: '429/1', init })
    expect(JSON.stringify(events)).not.toMatch(/secret|path/)
  })

  it('hold instants of the clock, and not of the wall', async () => {
    const started = start({}, [{ status: 429, headers: { 'retry-after': '1' } }])
    started.clock.setWall(Date.UTC(2026, 7, 22))
    started.clock.advance(5)
    callAll(started, ['/'])
    await started.clock.advanceAsync(5000)
    expect(started.events[0]!.at).toBe(5)
    expect(started.events.find(({ type }) => type === 'gate-closed')).toMatchObject({ at: 15, until: 1015 })
  })
})

describe('the source of a wait', () => {
  it.each<[source: string, headers: Record<string, string>, ms: number]>([
    ['retry-after-ms', { 'retry-after-ms': '1500' }, 1500],
    // As long as the own backoff.
    ['retry-after-ms', { 'retry-after-ms': '500' }, 500],
    ['retry-after:delay', { 'retry-after': '1, 5' }, 5000],
    ['backoff', { 'retry-after': '0' }, 500],
    ['ratelimit', { ratelimit: '"default";r=0;t=4' }, 4000],
    ['ratelimit-legacy', { 'ratelimit-reset': '5' }, 5000],
    ['x-ratelimit', { 'x-ratelimit-reset': '6' }, 6000],
    ['backoff', {}, 500],
    ['backoff', { 'retry-after': 'soon' }, 500],
  ])('is %s for %j', async (source, headers, ms) => {
    const { f, clock, events } = await run({ calls: '/', answers: [{ status: 429, headers }], untilMs: 10 })
    for (const type of ['throttled', 'gate-closed'])
      expect(events.find((event) => event.type === type)).toMatchObject({ source, ms })
    expect(f.snapshot(A)?.gate).toMatchObject({ open: false, source, remainingMs: ms })
    await clock.advanceAsync(10_000)
  })

  it.each([200, 400, 404, 599])(
    'is backoff of a %i that isThrottled knows, and nobody is warned',
    async (status) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      onTestFinished(() => warn.mockRestore())
      const options = { isThrottled: () => true, maxRetries: 0 }
      const { events } = await run({ calls: '/', answers: [status], options })
      expect(events.find(({ type }) => type === 'throttled')).toMatchObject({ source: 'backoff', ms: 500 })
      expect(warn).not.toHaveBeenCalled()
    },
  )

  it('is none of a 429 of another origin, of whose fields nothing is known', async () => {
    const refusal = (headers?: HeadersInit): Response =>
      Object.defineProperty(new Response(null, { status: 429, ...(headers && { headers }) }), 'type', {
        value: 'cors',
      })
    const answers = [refusal(), refusal(), refusal({ 'retry-after': 'soon' })]
    const { events } = await run({ calls: '/', answers })
    expect(events.filter(({ type }) => type === 'throttled')).toMatchObject([
      { source: 'none', ms: 500 },
      { source: 'none', ms: 1000 },
      { source: 'backoff', ms: 2000 },
    ])
  })

  it('is in no error of the network', async () => {
    const { events } = await run({ calls: '/', answers: [networkError()] })
    expect(events.find(({ type }) => type === 'error')).not.toHaveProperty('source')
  })
})
