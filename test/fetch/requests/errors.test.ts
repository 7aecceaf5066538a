import { runInNewContext } from 'node:vm'
import { RateLimitError } from 'lull/core'
import { isRateLimitError, retryAfterMs, type RateLimitedFetchOptions, type ThrottledError } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import { A, run } from '../fixtures/start.ts'

describe('throwOnThrottle', () => {
  const options: RateLimitedFetchOptions = { throwOnThrottle: true }

  it('rejects with the throttled response when no attempt is left', async () => {
    const last = new Response('body', tooMany(3))
    const { outcomes } = await run({ calls: '/', answers: [tooMany(1), tooMany(1), last], options })
    const error = outcomes[0]!.error as ThrottledError
    expect(error).toBeInstanceOf(RateLimitError)
    const told = { retryAfterMs: 3000, source: 'retry-after:delay', attempts: 3, bucket: A }
    expect(error).toMatchObject({ name: 'RateLimitError', code: 'throttled', ...told })
    expect(error.message).toContain('429')
    expect(error.response).toBe(last)
    expect(await error.response.text()).toBe('body')
  })

  it.each<[why: string, calls: string, answers: string, ends: string, RateLimitedFetchOptions?]>([
    ['the method forbids another attempt', 'POST/', '429', 'throttled@10'],
    ['the wait forbids another attempt', '/', '429', 'throttled@10', { maxWaitMs: 100 }],
    ['a retry succeeds', '/', '429/1', '200@1020'],
    ['it is no throttle', '/', '404', '404@10'],
    ['it is no throttle', '/', '500 500 500', '500@30'],
    ['it is no throttle', '/', '413 413 413', '413@10'],
  ])('if %s: %s, %s is %s', async (_, calls, answers, ends, more) => {
    expect((await run({ calls, answers, options: { ...options, ...more } })).ends).toBe(ends)
  })
})

describe('isRateLimitError and retryAfterMs', () => {
  it("recognise a call's rejection for a limit", async () => {
    const options = { concurrency: 1, maxQueue: 0, maxWaitMs: 100, throwOnThrottle: true }
    const { outcomes } = await run({ calls: '/1 /2 510:/3', answers: '429/1', options })
    const errors = outcomes.map(({ error }) => error as RateLimitError)
    expect(errors.map(({ code }) => code)).toEqual(['throttled', 'queue-full', 'wait-too-long'])
    for (const error of errors)
      expect([isRateLimitError(error), error instanceof RateLimitError]).toEqual([true, true])
    expect(errors[1]!.message).toBe('Call given up: queue-full')
    expect([retryAfterMs(errors[0]), retryAfterMs(errors[2])]).toEqual([1000, 500])
    expect(retryAfterMs(errors[1])).toBeGreaterThanOrEqual(0)
  })

  it.each([
    ['copy of the library', new Error()],
    ['realm', runInNewContext('new Error()') as Error],
  ])('recognise the error of another %s', (_, error) => {
    const other = Object.assign(error, { name: 'RateLimitError', code: 'queue-full', retryAfterMs: 5 })
    expect([isRateLimitError(other), retryAfterMs(other)]).toEqual([true, 5])
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
    Object.assign(new Error('plain headers'), { headers: { 'retry-after': '5' } }),
    new DOMException('', 'AbortError'),
  ])('return false and undefined for %s', (value) => {
    expect([isRateLimitError(value), retryAfterMs(value)]).toEqual([false, undefined])
  })
})
