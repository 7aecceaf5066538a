import type { Attempt, RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, start, statusesOf, watch } from '../fixtures/start.ts'

type Decide = NonNullable<RateLimitedFetchOptions['shouldRetry']>

const post: RequestInit = { method: 'POST', body: 'x' }

describe('R84 shouldRetry', () => {
  it('R84 is told the attempt, the request, what came of it, and when it would be sent again', async () => {
    const told: Attempt[] = []
    const error = new TypeError('fetch failed')
    const { f, clock } = start(
      { maxRetries: 4, shouldRetry: (attempt) => void told.push(attempt), random: () => 0.5 },
      [
        { status: 503, headers: { 'retry-after': '2' } },
        { status: 500, headers: { 'retry-after': '1' } },
        error,
        502,
      ],
    )
    const call = watch(f(`${A}/path`, { method: 'PUT', body: 'x' }), clock)
    await clock.advanceAsync(60_000)
    expect(call.response?.status).toBe(200)
    expect(told.map(({ request }) => [request.method, request.url])).toEqual(
      Array(4).fill(['PUT', `${A}/path`]),
    )
    expect(
      told.map(({ response, ...rest }) => ({ ...rest, request: 0, response: 0, status: response?.status })),
    ).toMatchObject([
      {
        attempt: 1,
        status: 503,
        error: undefined,
        delayMs: 2100,
        signal: { waitMs: 2000, source: 'retry-after:delay' },
      },
      {
        attempt: 2,
        status: 500,
        error: undefined,
        delayMs: 1050,
        signal: { waitMs: 1000, source: 'retry-after:delay' },
      },
      {
        attempt: 3,
        status: undefined,
        error,
        delayMs: 1000,
        signal: { waitMs: undefined, source: 'backoff' },
      },
      {
        attempt: 4,
        status: 502,
        error: undefined,
        delayMs: 2000,
        signal: { waitMs: undefined, source: 'backoff' },
      },
    ])
  })

  it.each<[string, ReturnType<Decide>, Answer, RequestInit, number]>([
    ['false: a GET is not sent again after a failure', false, 500, {}, 1],
    ['false: nor after a throttle', false, tooMany(1), {}, 1],
    ['false: nor after a network error', false, networkError(), {}, 1],
    ['undefined leaves it: a POST is not', undefined, 500, post, 1],
    ['undefined leaves it: a GET is', undefined, 500, {}, 3],
    ['undefined leaves it: not after a 404', undefined, 404, {}, 1],
    ['true: a POST is sent again', true, 500, post, 3],
    ['true: after a network error too', true, networkError(), post, 3],
    ['true: after a 404 too', true, 404, {}, 3],
    ['true: after a 400 too', true, 400, {}, 3],
    ['a delay: a POST is sent again', { delayMs: 5 }, 500, post, 3],
  ])('R84 %s', async (_, answer, response, init, requests) => {
    const started = start({ shouldRetry: () => answer }, () => response)
    const calls = callAll(started, ['/'], init)
    await started.clock.advanceAsync(60_000)
    expect(started.server.requests).toHaveLength(requests)
    expect(calls[0]!.state).not.toBe('pending')
    if (answer === false)
      expect(started.events.filter(({ type }) => type === 'give-up')).toMatchObject([{ reason: 'hook' }])
  })

  it.each([
    ['a longer delay stands', 5000, 5010],
    ['a shorter one is raised to what the server asks', 10, 2010],
    ['0 too', 0, 2010],
    ['one below 0 too', -1, 2010],
    ['NaN too', NaN, 2010],
  ])('R84 R41 %s', async (_, delayMs, at) => {
    for (const status of [429, 503, 500]) {
      const started = start({ shouldRetry: () => ({ delayMs }) }, [
        { status, headers: { 'retry-after': '2' } },
      ])
      callAll(started, ['/'])
      await started.clock.advanceAsync(20_000)
      expect(started.server.at()).toEqual([0, at])
    }
  })

  it.each([
    ['0', 0, 10],
    ['one below 0', -5, 10],
    ['NaN', NaN, 10],
    ['one of its own', 700, 710],
  ])('R84 where the server does not ask, the delay is %s', async (_, delayMs, at) => {
    for (const answer of [500, networkError()]) {
      const started = start({ shouldRetry: () => ({ delayMs }), random: () => 0.5 }, [answer])
      callAll(started, ['/'])
      await started.clock.advanceAsync(20_000)
      expect(started.server.at()).toEqual([0, at])
    }
  })

  it('R84 R42 a delay beyond maxWaitMs is not waited for, Infinity neither', async () => {
    // A millisecond is for the rounding of clocks that have fractions.
    for (const delayMs of [60_002, Infinity]) {
      const started = start({ shouldRetry: () => ({ delayMs }) }, [500])
      const calls = callAll(started, ['/'])
      await started.clock.advanceAsync(10)
      expect(statusesOf(calls)).toEqual([500])
      expect(started.events.at(-1)).toMatchObject({ type: 'give-up', reason: 'wait' })
    }
  })

  it('R84 R48 is not asked when no attempt is left, nor about a success', async () => {
    const shouldRetry = vi.fn(() => true)
    const started = start(
      { shouldRetry, maxRetries: 1 },
      [500, 500, 200, 304, 204].map((status) => new Response(null, { status })),
    )
    for (let call = 0; call < 4; call++) {
      callAll(started, ['/'])
      await started.clock.advanceAsync(1000)
    }
    expect(shouldRetry).toHaveBeenCalledTimes(1)
  })
})
