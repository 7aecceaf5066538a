import type { RateLimitedFetchOptions, RateLimitedRequestInit } from 'lull/fetch'
import { expect, it, vi } from 'vitest'
import { type Answer } from '../fixtures/fake-server.ts'
import { endOf, run, start, play } from '../fixtures/start.ts'
import { throwing } from '../../core/shared/throwing.ts'

const idempotent = 'GET HEAD OPTIONS PUT DELETE QUERY'
const all = `${idempotent} POST PATCH`
const keyed: RequestInit = { headers: { 'Idempotency-Key': 'abc' } }
const isThrottled = ({ status }: Response): boolean => status === 403

type Init = RateLimitedRequestInit
type Row = [answers: string | Answer[], resent: string, options?: RateLimitedFetchOptions, init?: Init]

const each = (words: string, ...rest: [string, RateLimitedFetchOptions?, Init?]): Row[] =>
  words.split(' ').map((word) => [word, ...rest])

/** The methods that are retried after such an answer. */
const table: Row[] = [
  ...each('408 425 429 500 502 503 504 413/1 429/1 500/1 503/1 x', idempotent),
  ...each('200 201 204 301 304 400 401 403 404 405 409 410 413 422 451 501 505 507 404/1 413/1.', ''),
  [[{ status: 500, headers: { 'x-should-retry': 'false' } }], idempotent],
  [[{ status: 400, headers: { 'x-should-retry': 'true' } }], ''],
  [[new Error('of whatever class')], idempotent],
  [[{ throws: new TypeError('thrown') }], idempotent],
  ...each('429 503/1', all, {}, keyed),
  ...each('503 500 413/1 x', idempotent, {}, keyed),
  ...each('429 503/1', all, { retryNonIdempotent: true }),
  ...each('503 500 x', idempotent, { retryNonIdempotent: true }),
  [
    '429',
    `${idempotent} PATCH`,
    { retryNonIdempotent: ({ method }, { status }) => method === 'PATCH' && status === 429 },
  ],
  ['403', idempotent, { isThrottled }],
  ['403', all, { isThrottled }, keyed],
  ...each('500 x', 'POST', { methods: ['POST'] }),
  ['404', idempotent, { statuses: [404] }],
  ['500', '', { statuses: [404] }],
  ...each('500 429', '', { maxRetries: 0 }),
  ...each('500 429', '', {}, { rateLimit: { maxRetries: 0 } }),
  ...each('500 429', idempotent, { maxRetries: 0 }, { rateLimit: { maxRetries: 1 } }),
]

it.each(table)('after %s it retries %s, with %o %o', async (answers, resent, options = {}, init = {}) => {
  const sentAgain: string[] = []
  for (const method of all.split(' ')) {
    const { server, ends } = await run({ calls: `${method}/`, answers, options, init, untilMs: 5000 })
    expect(ends).not.toBe('pending')
    if (server.requests.length === 2) sentAgain.push(method)
    else expect(server.requests).toHaveLength(1)
  }
  expect(sentAgain.join(' ')).toBe(resent)
})

it.each<[string, () => unknown]>([
  ['is quick', () => undefined],
  ['never ends', () => new Promise(() => undefined)],
  ['fails', () => Promise.reject(new Error('cancel'))],
  ['throws', throwing(new Error('cancel'))],
])('the body of a discarded response is cancelled before the sleep, by what %s', async (_, cancel) => {
  const cancels = vi.fn(cancel)
  const answers = [500, 429, 200].map(
    (status) => ({ status, body: { cancel: cancels } }) as unknown as Response,
  )
  const { f, clock } = start({ random: () => 0.5, fetch: () => Promise.resolve(answers.shift()!) })
  const [call] = await play({ f, clock }, '/')
  const counts: number[] = []
  for (const ms of [0, 250, 750]) {
    await clock.advanceAsync(ms)
    counts.push(cancels.mock.calls.length)
  }
  expect(counts).toEqual([1, 2, 2])
  expect(endOf(call!)).toBe('200@1000')
})
