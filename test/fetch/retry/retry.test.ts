import type { RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, start, watch } from '../fixtures/start.ts'

const idempotent = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY']
const others = ['POST', 'PATCH']
const none: string[] = []
const all = [...idempotent, ...others]
const timed = (status: number): Answer => ({ status, headers: { 'retry-after': '1' } })
const keyed: RequestInit = { headers: { 'Idempotency-Key': 'abc' } }

/** Which methods are sent again after such an answer. */
const table: [
  what: string,
  answer: Answer,
  resent: string[],
  options?: RateLimitedFetchOptions,
  init?: RequestInit,
][] = [
  ...[408, 425, 429, 500, 502, 503, 504].map((status): [string, Answer, string[]] => [
    `${status}`,
    status,
    idempotent,
  ]),
  ...[413, 429, 500, 503].map((status): [string, Answer, string[]] => [
    `${status} with a time`,
    timed(status),
    idempotent,
  ]),
  ...[200, 201, 204, 301, 304, 400, 401, 403, 404, 405, 409, 410, 413, 422, 451, 501, 505, 507].map(
    (status): [string, Answer, string[]] => [`${status}`, status, none],
  ),
  ['404 with a time', timed(404), none],
  ['413 with a malformed time', { status: 413, headers: { 'retry-after': '1.' } }, none],
  ['500 with x-should-retry', { status: 500, headers: { 'x-should-retry': 'false' } }, idempotent],
  ['400 with x-should-retry', { status: 400, headers: { 'x-should-retry': 'true' } }, none],
  ['a network error', networkError(), idempotent],
  ['an error of whatever class', new Error('else'), idempotent],
  ['a TypeError that is thrown', { throws: new TypeError('thrown') }, idempotent],
  ['429, with an Idempotency-Key', 429, all, {}, keyed],
  ['503 with a time, with an Idempotency-Key', timed(503), all, {}, keyed],
  ['503, with an Idempotency-Key', 503, idempotent, {}, keyed],
  ['500, with an Idempotency-Key', 500, idempotent, {}, keyed],
  ['413 with a time, with an Idempotency-Key', timed(413), idempotent, {}, keyed],
  ['a network error, with an Idempotency-Key', networkError(), idempotent, {}, keyed],
  ['429, retryNonIdempotent', 429, all, { retryNonIdempotent: true }],
  ['503 with a time, retryNonIdempotent', timed(503), all, { retryNonIdempotent: true }],
  ['503, retryNonIdempotent', 503, idempotent, { retryNonIdempotent: true }],
  ['500, retryNonIdempotent', 500, idempotent, { retryNonIdempotent: true }],
  ['a network error, retryNonIdempotent', networkError(), idempotent, { retryNonIdempotent: true }],
  [
    '429, retryNonIdempotent for PATCH',
    429,
    [...idempotent, 'PATCH'],
    { retryNonIdempotent: ({ method }, { status }) => method === 'PATCH' && status === 429 },
  ],
  ['403 that isThrottled knows', 403, idempotent, { isThrottled: ({ status }) => status === 403 }],
  [
    '403 that isThrottled knows, with an Idempotency-Key',
    403,
    all,
    { isThrottled: ({ status }) => status === 403 },
    keyed,
  ],
  ['500, with methods of POST alone', 500, ['POST'], { methods: ['POST'] }],
  ['a network error, with methods of POST alone', networkError(), ['POST'], { methods: ['POST'] }],
  ['404, with statuses of 404 alone', 404, idempotent, { statuses: [404] }],
  ['500, with statuses of 404 alone', 500, none, { statuses: [404] }],
  ['500, with maxRetries 0', 500, none, { maxRetries: 0 }],
  ['429, with maxRetries 0', 429, none, { maxRetries: 0 }],
]

describe('R81 to R83 what is sent again', () => {
  it.each(table)('R81 %s', async (_, answer, resent, options = {}, init = {}) => {
    const sentAgain: string[] = []
    for (const method of all) {
      const { f, server, clock } = start(options, [answer])
      const call = watch(f(`${A}/`, { ...init, method }), clock)
      await clock.advanceAsync(5000)
      expect(call.state).not.toBe('pending')
      if (server.requests.length === 2) sentAgain.push(method)
      else expect(server.requests).toHaveLength(1)
    }
    expect(sentAgain).toEqual(resent)
  })

  it.each([0, 1, 2, 5])('R81 maxRetries %i', async (maxRetries) => {
    for (const answer of [500, 429, networkError()]) {
      const { f, server, clock } = start({ maxRetries }, () => answer)
      const call = watch(f(`${A}/`), clock)
      await clock.advanceAsync(200_000)
      expect(call.state).toBe(answer instanceof Error ? 'rejected' : 'resolved')
      expect(server.requests).toHaveLength(maxRetries + 1)
    }
  })

  it('R48 every attempt counts, of whatever kind', async () => {
    const { f, server, clock, events } = start({ maxRetries: 3 }, [500, tooMany(1), networkError(), 503])
    const call = f(`${A}/`)
    await clock.advanceAsync(10_000)
    expect((await call).status).toBe(503)
    expect(server.requests).toHaveLength(4)
    expect(events.at(-1)).toMatchObject({ type: 'give-up', call: 1, reason: 'attempts' })
  })

  it('R82 the last error of the network is the one that comes out', async () => {
    const errors = ['1', '2', '3'].map((message) => new TypeError(message))
    const { f, clock } = start({}, errors)
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(30)
    expect(call.error).toBe(errors[2])
  })

  it('R83 retryNonIdempotent is asked with the request and the response, after a throttle alone', async () => {
    const asked: [string, number][] = []
    const { f, server, clock } = start(
      {
        retryNonIdempotent(request, response) {
          asked.push([request.method, response.status])
          return true
        },
      },
      [tooMany(1), 500],
    )
    const call = f(`${A}/`, { method: 'POST' })
    await clock.advanceAsync(2000)
    expect((await call).status).toBe(500)
    expect(asked).toEqual([['POST', 429]])
    expect(server.requests).toHaveLength(2)
  })
})

/** A response whose body says what is done to it. */
function guarded(
  status: number,
  cancel: (reason: unknown) => unknown,
): { response: Response; cancelled: () => number } {
  let cancels = 0
  const body = new ReadableStream(
    {
      pull() {
        throw new Error('The body was read')
      },
      cancel(reason) {
        cancels++
        return cancel(reason) as Promise<void>
      },
    },
    { highWaterMark: 0 },
  )
  return { response: new Response(body, { status }), cancelled: () => cancels }
}

describe('R85 and R86 the bodies of responses', () => {
  it.each([
    ['that is quick', () => undefined],
    ['that never ends', () => new Promise(() => undefined)],
    ['that fails', () => Promise.reject(new Error('cancel'))],
    [
      'that throws',
      () => {
        throw new Error('cancel')
      },
    ],
  ])('R85 a discarded one is cancelled before the sleep, with a cancel %s', async (_, cancel) => {
    const first = guarded(500, cancel)
    const second = guarded(429, cancel)
    const { f, clock } = start({ random: () => 0.5 }, [first.response, second.response])
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(10)
    expect(first.cancelled()).toBe(1)
    await clock.advanceAsync(260)
    expect(second.cancelled()).toBe(1)
    await clock.advanceAsync(760)
    expect(call).toMatchObject({ state: 'resolved', response: { status: 200 }, at: 10 + 250 + 10 + 750 + 10 })
  })

  it.each([200, 404, 429, 500])(
    'R86 the last one, of a %i, is neither read nor cancelled',
    async (status) => {
      const { response, cancelled } = guarded(status, () => undefined)
      const { f, clock } = start({ maxRetries: 0 }, [response])
      const call = f(`${A}/`)
      await clock.advanceAsync(5000)
      expect(await call).toBe(response)
      expect(response.bodyUsed).toBe(false)
      expect(response.body!.locked).toBe(false)
      expect(cancelled()).toBe(0)
    },
  )
})
