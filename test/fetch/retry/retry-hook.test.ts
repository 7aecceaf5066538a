import type { Attempt, RateLimitedFetchOptions, RetryDecision } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, endOf, play, run, start, answersOf } from '../fixtures/start.ts'

type Decide = NonNullable<RateLimitedFetchOptions['shouldRetry']>

describe('shouldRetry', () => {
  it('gets the attempt, the request, the outcome, and the planned delay', async () => {
    const asked: Attempt[] = []
    const error = new TypeError('fetch failed')
    const shouldRetry: Decide = (attempt) => void asked.push(attempt)
    await run({
      calls: 'PUT/path',
      answers: [...answersOf('503/2 500/1'), error, 502],
      options: { maxRetries: 4, shouldRetry, random: () => 0.5 },
    })
    const request = { method: 'PUT', url: `${A}/path` }
    const backoff = { waitMs: undefined, source: 'backoff' }
    const named = (waitMs: number) => ({ waitMs, source: 'retry-after:delay' })
    expect(asked).toMatchObject([
      { attempt: 1, request, response: { status: 503 }, delayMs: 2100, signal: named(2000) },
      { attempt: 2, request, response: { status: 500 }, delayMs: 1050, signal: named(1000) },
      { attempt: 3, request, response: undefined, delayMs: 1000, signal: backoff },
      { attempt: 4, request, response: { status: 502 }, delayMs: 2000, signal: backoff },
    ])
    expect(asked.map((attempt) => attempt.error)).toEqual([undefined, undefined, error, undefined])
  })

  it('gets the wait that a status names which is not retried by default, also without onEvent', async () => {
    const waits: unknown[] = []
    const shouldRetry: Decide = ({ signal }) => void waits.push(signal.waitMs)
    await run({ calls: '/', answers: '404/2', options: { shouldRetry, onEvent: undefined } })
    expect(waits).toEqual([2000])
  })

  it.each<[decision: RetryDecision, answer: Answer, method: string, requests: number]>([
    [false, 500, 'GET', 1],
    [false, tooMany(1), 'GET', 1],
    [false, networkError(), 'GET', 1],
    [undefined, 500, 'POST', 1],
    [undefined, 500, 'GET', 3],
    [undefined, 404, 'GET', 1],
    [null, 500, 'GET', 3],
    [null, 404, 'GET', 1],
    [true, 500, 'POST', 3],
    [true, networkError(), 'POST', 3],
    [true, 404, 'GET', 3],
    [true, 400, 'GET', 3],
    [{ delayMs: 5 }, 500, 'POST', 3],
  ])('that returns %o, after %o to a %s: %i requests', async (decision, answer, method, requests) => {
    const options = { shouldRetry: () => decision }
    const { server, ends, events } = await run({ calls: `${method}/`, answers: () => answer, options })
    expect(server.requests).toHaveLength(requests)
    expect(ends).not.toBe('pending')
    const giveUps = events.filter(({ type }) => type === 'give-up')
    if (decision === false) expect(giveUps).toMatchObject([{ reason: 'hook' }])
  })

  it.each([
    ['is kept if longer than the wait of the server', 5000, 5010, ['429/2', '503/2', '500/2']],
    ['is raised to the wait of the server', 10, 2010, ['429/2', '503/2', '500/2']],
    ['is raised, if it is 0', 0, 2010, ['429/2', '503/2', '500/2']],
    ['is raised, if it is below 0', -1, 2010, ['429/2', '503/2', '500/2']],
    ['is raised, if it is NaN', NaN, 2010, ['429/2', '503/2', '500/2']],
    ['is raised to that wait and its jitter', 10, 2110, ['503/2', '500/2']],
    ['may be 0', 0, 10, ['500', 'x']],
    ['is 0, if it is below 0', -5, 10, ['500', 'x']],
    ['is 0, if it is NaN', NaN, 10, ['500', 'x']],
    ['may be anything', 700, 710, ['500', 'x']],
  ])('returns a delay that %s: %d', async (_, delayMs, at, all) => {
    for (const answers of all) {
      const options = { shouldRetry: () => ({ delayMs }), random: () => (all.length === 2 ? 0.5 : 0) }
      expect((await run({ calls: '/', answers, options })).sent).toBe(`0 ${at}`)
    }
  })

  it('is not called for the last attempt, or for a success', async () => {
    const shouldRetry = vi.fn(() => true)
    const options = { shouldRetry, maxRetries: 1 }
    await run({ calls: '/ 1000:/ 2000:/', answers: '500 500 304 204', options })
    expect(shouldRetry).toHaveBeenCalledTimes(1)
  })
})

describe('shouldRetry that returns a promise', () => {
  /** Decides 100 ms later. */
  function startLate(decision: RetryDecision, answer: string, options: RateLimitedFetchOptions = {}) {
    const shouldRetry = (): Promise<RetryDecision> =>
      new Promise((resolve) => void started.clock.after(100, () => resolve(decision)))
    const started: ReturnType<typeof start> = start({ shouldRetry, ...options }, answersOf(answer))
    return started
  }

  it.each<[RetryDecision, answer: string, end: string]>([
    [false, '500', '500@110'],
    [true, '500', '200@120'],
    [undefined, '500', '200@120'],
    [{ delayMs: 500 }, '500', '200@620'],
    [{ delayMs: 1 }, '500/2', '200@2120'],
  ])('%o counts once resolved', async (decision, answer, end) => {
    expect((await play(startLate(decision, answer), '/ +5000')).map(endOf)).toEqual([end])
  })

  it('frees the slot meanwhile, and an abort ends the call at once', async () => {
    const started = startLate(true, '500', { concurrency: 1 })
    const calls = await play(started, '/1 /2 +20 abort=1 +5000')
    expect(calls.map(endOf)).toEqual(['AbortError@20', '200@20'])
    expect(started.server.at()).toEqual([0, 10])
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
    expect(started.events.filter(({ type }) => type === 'abort')).toMatchObject([
      { call: 1, phase: 'sleeping' },
    ])
  })

  it('leaves nothing behind if it never settles: an abort ends the call, its timer and its body', async () => {
    const cancelled = vi.fn()
    const failed = new Response(new ReadableStream({ cancel: cancelled }), { status: 500 })
    const shouldRetry = (): Promise<never> => new Promise(() => undefined)
    const started = start({ shouldRetry, totalTimeoutMs: 1e6 }, [failed])
    const [call] = await play(started, '/ +10 abort +0')
    expect([endOf(call!), started.clock.pending]).toEqual(['AbortError@10', 0])
    expect(cancelled).toHaveBeenCalledOnce()
  })
})

it('gets the delay until the gate opens, also for a refusal with a shorter wait', async () => {
  const delays: number[] = []
  const shouldRetry = ({ delayMs }: Attempt): undefined => void delays.push(delayMs)
  await run({ calls: '/1 /2', answers: '429/5 429/1~300', options: { shouldRetry } })
  expect(delays).toEqual([5000, 4710])
})
