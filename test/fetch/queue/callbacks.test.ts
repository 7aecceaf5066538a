import { type Policy, type RateLimitedFetchOptions } from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { post, tooMany } from '../fixtures/fake-server.ts'
import {
  A,
  answersOf,
  B,
  callAll,
  endOf,
  paths,
  play,
  run,
  start,
  statusesOf,
  watch,
} from '../fixtures/start.ts'

const IDLE = { queued: 0, inFlight: 0, sleeping: 0 }

const error = new Error('thrown by a function of the user')
const fail = (): never => {
  throw error
}

// Errors that concern no call are reported here. Node lacks it.
const reportError = vi.fn()
beforeEach(() => void vi.stubGlobal('reportError', reportError.mockClear()))
afterEach(() => void vi.unstubAllGlobals())

describe('user functions that throw', () => {
  it('key: only that call rejects', async () => {
    let isBad = true
    const { f, server, clock } = start({ concurrency: 1, key: () => (isBad ? fail() : 'key') })
    const bad = watch(f(`${A}/1`), clock)
    isBad = false
    const good = watch(f(`${A}/2`), clock)
    expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 1 })
    await clock.advanceAsync(10)
    expect([bad.error, good.response?.status, server.paths()]).toEqual([error, 200, ['/2']])
  })

  /** The first response makes the function throw, in an attempt that holds the only slot. */
  it.each<[name: 'isThrottled' | 'backoff' | 'random' | 'retryNonIdempotent', answers: string]>([
    ['isThrottled', '200'],
    ['backoff', '500'],
    ['backoff', 'x'],
    ['backoff', '429/1'],
    ['random', '500'],
    ['random', 'x'],
    ['random', '429'],
    ['retryNonIdempotent', '429/1'],
  ])('%s after %s costs that call at most and frees its slot once; a gate closes', async (name, answers) => {
    const { f, server, clock } = start({ concurrency: 1, [name]: fail }, answersOf(answers))
    const bad = watch(f(`${A}/bad`, name === 'retryNonIdempotent' ? post : {}), clock)
    await clock.advanceAsync(10)
    f.configure({ isThrottled: () => false, backoff: () => 0, random: () => 0, retryNonIdempotent: false })
    const [waiting] = await play({ f, clock }, '/next +60000')
    expect(bad.state).not.toBe('pending')
    expect(waiting!.response?.status).toBe(200)
    if (answers === '429/1') expect(server.at()[1]).toBeGreaterThanOrEqual(1010)
    if (name === 'backoff' || name === 'random') expect(reportError).toHaveBeenCalledWith(error)
    const good = await play({ f, clock }, '*3 +5000')
    expect(statusesOf(good)).toEqual([200, 200, 200])
    expect([server.peak, f.snapshot()]).toMatchObject([1, IDLE])
  })

  it('onEvent: the error is reported, and nothing else changes', async () => {
    const play = async (onEvent: (() => void) | undefined): Promise<unknown[]> => {
      const { f, server, clock } = start(
        { concurrency: 1, maxQueue: 4, random: () => 0.5, onEvent },
        answersOf('500 429/1 x'),
      )
      const controller = new AbortController()
      const calls = [
        ...callAll({ f, clock }, paths(4)),
        watch(f(`${A}/5`, { signal: controller.signal }), clock),
      ]
      calls.push(...callAll({ f, clock }, ['/6']))
      controller.abort()
      await clock.advanceAsync(10_000)
      return [server.at(), server.paths(), calls.map(endOf)]
    }
    expect(await play(fail)).toEqual(await play(undefined))
    expect(new Set(reportError.mock.calls.flat())).toEqual(new Set([error]))
  })
})

it('onEvent that configure removes gets no further event', async () => {
  const onEvent = vi.fn(({ type }) => type === 'response' && f.configure({ onEvent: undefined }))
  const { f, clock } = start({ onEvent, maxRetries: 0 }, [tooMany(1)])
  await play({ f, clock }, '/ +10')
  expect(onEvent.mock.lastCall).toMatchObject([{ type: 'response' }])
  expect(reportError).not.toHaveBeenCalled()
})

it.each<[string, RateLimitedFetchOptions]>([
  ['shouldRetry', { shouldRetry: fail }],
  ['shouldRetry, later', { shouldRetry: () => Promise.reject(error) }],
  ['isThrottled', { isThrottled: fail }],
])('%s that throws leaves no connection open: the body is cancelled', async (_, options) => {
  const cancel = vi.fn()
  const body = new ReadableStream({ cancel })
  const { outcomes } = await run({ calls: '/', answers: [new Response(body, { status: 500 })], options })
  expect([outcomes[0]!.error, cancel.mock.calls.length]).toEqual([error, 1])
})

describe('policy members that throw', () => {
  const members = 'readyAt sent read ended closed delay veto left reset isIdle snapshot'
  it.each(members.split(' '))(
    '%s: the error is reported, and the result counts as undefined',
    async (name) => {
      const policies: Policy[] = [() => ({ [name]: fail })]
      const { f, clock, server } = start({ policies, maxBuckets: 1, concurrency: 1 }, [500, tooMany(1)])
      const calls = await play({ f, clock }, '*3 +5000')
      expect([statusesOf(calls), server.peak]).toEqual([[200, 200, 200], 1])
      f.reset()
      expect(f.snapshot(A)).toMatchObject(IDLE)
      await clock.advanceAsync(60_000)
      expect((await play({ f, clock }, `${B} +10`)).map(endOf)).toEqual(['200@65010'])
      expect(reportError.mock.calls[0]).toEqual([error])
    },
  )

  it('dispose: the error is reported, and `configure` changes all buckets and removes the other policies', async () => {
    const dispose = vi.fn()
    const policies: Policy[] = [() => ({ dispose: fail }), () => ({ dispose })]
    const { f, clock, server } = start({ concurrency: 1, policies })
    const calls = [A, A, B, B].map((url) => watch(f(url), clock))
    f.configure({ concurrency: 2, policies: [] })
    await clock.advanceAsync(20)
    expect([server.at(), dispose.mock.calls.length]).toEqual([[0, 0, 0, 0], 2])
    expect(statusesOf(calls)).toEqual([200, 200, 200, 200])
    expect(reportError.mock.calls).toEqual([[error], [error]])
  })

  it('admit: the call rejects with the error, and is neither queued nor sent', async () => {
    const started = start({ policies: [() => ({ admit: fail })] })
    const [call] = await play(started, '/ +0')
    expect([call!.error, started.server.calls]).toEqual([error, 0])
    expect(started.f.snapshot(A)).toMatchObject(IDLE)
    expect(started.events).toMatchObject([{ type: 'enqueue' }, { type: 'drop', reason: 'policy' }])
  })
})
