import { RateLimitError } from 'lull/core'
import { isRateLimitError, retryAfterMs, type ThrottledError } from 'lull/fetch'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, start, tick, watch } from '../fixtures/start.ts'

afterEach(() => vi.useRealTimers())

describe('R4 throwOnThrottle', () => {
  it('R4 rejects with the throttled response when no attempt is left', async () => {
    const last = new Response('body', { status: 429, headers: { 'retry-after': '3' } })
    const { f, clock } = start({ throwOnThrottle: true }, [tooMany(1), tooMany(1), last])
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(5000)
    const error = call.error as ThrottledError
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'RateLimitError',
      code: 'throttled',
      retryAfterMs: 3000,
      source: 'retry-after:delay',
      attempts: 3,
      bucket: A,
    })
    expect(error.message).toContain('429')
    expect(error.response).toBe(last)
    expect(await error.response.text()).toBe('body')
  })

  it.each([
    ['the method', {}, { method: 'POST' }],
    ['the wait', { maxWaitMs: 100 }, {}],
  ])('R4 rejects when %s forbids another attempt', async (_, options, init) => {
    const { f, clock } = start({ throwOnThrottle: true, ...options }, [tooMany()])
    const call = watch(f(`${A}/`, init), clock)
    await clock.advanceAsync(10)
    expect(call.error).toMatchObject({ code: 'throttled', retryAfterMs: 500, source: 'backoff', attempts: 1 })
  })

  it('R4 says how long the gate is closed, if that is longer than the response says', async () => {
    const started = start({ throwOnThrottle: true }, [tooMany(5), tooMany(1)])
    const calls = callAll(started, ['/1', '/2'], { method: 'POST' })
    await started.clock.advanceAsync(10)
    expect(calls.map(({ error }) => retryAfterMs(error))).toEqual([5000, 5000])
  })

  it.each([404, 500, 413])('R4 a status of %i still resolves', async (status) => {
    const { f, clock } = start({ throwOnThrottle: true }, () => status)
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(5000)
    expect(call.response?.status).toBe(status)
  })

  it('R4 a throttle that ends well resolves', async () => {
    const { f, clock } = start({ throwOnThrottle: true }, [tooMany(1)])
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(5000)
    expect(call.response?.status).toBe(200)
  })
})

describe('R163 isRateLimitError and retryAfterMs', () => {
  it('R163 know what a call is rejected with for a limit', async () => {
    const started = start({ concurrency: 1, maxQueue: 0, maxWaitMs: 100, throwOnThrottle: true }, [
      tooMany(1),
    ])
    const { clock } = started
    const calls = callAll(started, ['/throttled', '/queue-full'])
    await clock.advanceAsync(510)
    calls.push(...callAll(started, ['/wait-too-long']))
    await tick()
    const errors = calls.map(({ error }) => error)
    expect(errors.map((error) => (error as RateLimitError).code)).toEqual([
      'throttled',
      'queue-full',
      'wait-too-long',
    ])
    expect(errors.map((error) => isRateLimitError(error))).toEqual([true, true, true])
    expect(errors.map((error) => error instanceof RateLimitError)).toEqual([true, true, true])
    expect((errors[1] as RateLimitError).message).toBe('Request not sent: queue-full')
    expect([retryAfterMs(errors[0]), retryAfterMs(errors[2])]).toEqual([1000, 500])
    expect(retryAfterMs(errors[1])).toBeGreaterThanOrEqual(0)
  })

  it('R163 know the error of another copy of the library', () => {
    const other = Object.assign(new Error(), { name: 'RateLimitError', code: 'queue-full', retryAfterMs: 5 })
    expect(isRateLimitError(other)).toBe(true)
    expect(retryAfterMs(other)).toBe(5)
  })

  it.each([
    undefined,
    null,
    5,
    'RateLimitError',
    {},
    { name: 'RateLimitError', retryAfterMs: 5 },
    networkError(),
    Object.assign(new Error('else'), { retryAfterMs: 5 }),
    new DOMException('', 'AbortError'),
  ])('R163 know that %s is none', (value) => {
    expect(isRateLimitError(value)).toBe(false)
    expect(retryAfterMs(value)).toBeUndefined()
  })

  it('R163 retryAfterMs reads a response', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 7, 22, 12) })
    const read = (headers: Record<string, string>): number | undefined =>
      retryAfterMs(new Response(null, { status: 429, headers }))
    expect(read({})).toBeUndefined()
    expect(read({ 'retry-after': 'soon' })).toBeUndefined()
    expect(read({ 'retry-after': '0' })).toBe(0)
    expect(read({ 'retry-after': '5' })).toBe(5000)
    expect(read({ 'retry-after': 'Sat, 22 Aug 2026 12:00:07 GMT' })).toBe(7000)
    expect(
      read({ 'retry-after': 'Sat, 22 Aug 2026 12:00:07 GMT', date: 'Sat, 22 Aug 2026 12:00:04 GMT' }),
    ).toBe(3000)
  })
})
