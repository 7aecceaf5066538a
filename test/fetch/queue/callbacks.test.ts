import { type Policy, type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { post, tooMany } from '../fixtures/fake-server.ts'
import { A, answersOf, B, endOf, play, run, start, statusesOf, watch } from '../fixtures/start.ts'
import { throwing } from '../../core/shared/throwing.ts'

const IDLE = { queued: 0, inFlight: 0, sleeping: 0 }

const error = new Error('thrown by a function of the user')
const fail = throwing(error)

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
    const { f, server, clock, reported } = start({ concurrency: 1, [name]: fail }, answersOf(answers))
    const bad = watch(f(`${A}/bad`, name === 'retryNonIdempotent' ? post : {}), clock)
    await clock.advanceAsync(10)
    f.configure({ isThrottled: () => false, backoff: () => 0, random: () => 0, retryNonIdempotent: false })
    const [waiting] = await play({ f, clock }, '/next +60000')
    expect(bad.state).not.toBe('pending')
    expect(waiting!.response?.status).toBe(200)
    if (answers === '429/1') expect(server.at()[1]).toBeGreaterThanOrEqual(1010)
    const isReported = name === 'backoff' || name === 'random'
    expect(new Set(reported.splice(0))).toEqual(new Set(isReported ? [error] : []))
    const good = await play({ f, clock }, '*3 +5000')
    expect(statusesOf(good)).toEqual([200, 200, 200])
    expect([server.peak, f.snapshot()]).toMatchObject([1, IDLE])
  })

  it('onEvent: the error is reported, and nothing else changes', async () => {
    const options = { concurrency: 1, maxQueue: 4, random: () => 0.5 }
    const [silent, loud] = [undefined, fail].map((onEvent) =>
      start({ ...options, onEvent }, answersOf('500 429/1 x')),
    )
    const steps = '/1 /2 /3 /4 /5 /6 abort=5 +10000'
    const ends = (await play(loud!, steps)).map(endOf)
    expect((await play(silent!, steps)).map(endOf)).toEqual(ends)
    expect(loud!.server.at()).toEqual(silent!.server.at())
    expect(loud!.server.paths()).toEqual(silent!.server.paths())
    expect(new Set(loud!.reported.splice(0))).toEqual(new Set([error]))
  })
})

it('onEvent that configure removes gets no further event', async () => {
  const onEvent = vi.fn(({ type }) => type === 'response' && f.configure({ onEvent: undefined }))
  const { f, clock } = start({ onEvent, maxRetries: 0 }, [tooMany(1)])
  await play({ f, clock }, '/ +10')
  expect(onEvent.mock.lastCall).toMatchObject([{ type: 'response' }])
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
      const started = start({ policies, maxBuckets: 1, concurrency: 1 }, [500, tooMany(1)])
      const calls = await play(started, '*3 +5000 reset')
      expect([statusesOf(calls), started.server.peak]).toEqual([[200, 200, 200], 1])
      expect(started.f.snapshot(A)).toMatchObject(IDLE)
      expect((await play(started, `+60000 ${B} +10`)).map(endOf)).toEqual(['200@65010'])
      expect(new Set(started.reported.splice(0))).toEqual(new Set([error]))
    },
  )

  it('dispose: the error is reported, and `configure` changes all buckets and removes the other policies', async () => {
    const dispose = vi.fn()
    const policies: Policy[] = [() => ({ dispose: fail }), () => ({ dispose })]
    const started = start({ concurrency: 1, policies })
    const calls = await play(started, `/ / ${B} ${B}`)
    started.f.configure({ concurrency: 2, policies: [] })
    await started.clock.advanceAsync(20)
    expect([started.server.at(), dispose.mock.calls.length]).toEqual([[0, 0, 0, 0], 2])
    expect(statusesOf(calls)).toEqual([200, 200, 200, 200])
    expect(started.reported.splice(0)).toEqual([error, error])
  })

  it('admit: the call rejects with the error, and is neither queued nor sent', async () => {
    const started = start({ policies: [() => ({ admit: fail })] })
    const [call] = await play(started, '/ +0')
    expect([call!.error, started.server.calls]).toEqual([error, 0])
    expect(started.f.snapshot(A)).toMatchObject(IDLE)
    expect(started.events).toMatchObject([{ type: 'enqueue' }, { type: 'drop', reason: 'policy' }])
  })
})
