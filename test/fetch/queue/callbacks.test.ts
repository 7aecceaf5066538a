import { type RateLimitedFetchOptions, holdSlot, type PolicyHooks } from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statesOf, statusesOf, watch } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }

// Where the errors are reported that concern no call. Node has none.
beforeEach(() => void vi.stubGlobal('reportError', vi.fn()))
afterEach(() => void vi.unstubAllGlobals())

function thrower(): { error: Error; fail: () => never } {
  const error = new Error('thrown by a function of the user')
  return {
    error,
    fail: () => {
      throw error
    },
  }
}

describe('R149 functions of the user that throw', () => {
  it('R149 key: it costs that call', async () => {
    const { error, fail } = thrower()
    let isBad = true
    const { f, server, clock } = start({ concurrency: 1, key: () => (isBad ? fail() : 'key') })
    const bad = watch(f(`${A}/1`), clock)
    isBad = false
    const good = watch(f(`${A}/2`), clock)
    expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 1 })
    await clock.advanceAsync(10)
    expect(bad.error).toBe(error)
    expect(good.response?.status).toBe(200)
    expect(server.paths()).toEqual(['/2'])
  })

  /** The first answer makes the function throw, in an attempt that holds the only slot. */
  it.each<[string, RateLimitedFetchOptions, Answer, RequestInit?]>([
    ['isThrottled', { isThrottled: thrower().fail }, 200],
    ['backoff, after a failure', { backoff: thrower().fail }, 500],
    ['backoff, after a network error', { backoff: thrower().fail }, networkError()],
    ['backoff, after a throttle', { backoff: thrower().fail }, tooMany(1)],
    ['random, after a failure', { random: thrower().fail }, 500],
    ['random, after a network error', { random: thrower().fail }, networkError()],
    ['random, after a throttle', { random: thrower().fail }, tooMany()],
    ['retryNonIdempotent', { retryNonIdempotent: thrower().fail }, tooMany(1), post],
  ])('R149 %s: it costs that call at most, and its slot is freed once', async (_, options, answer, init) => {
    const { f, server, clock } = start({ concurrency: 1, ...options }, [answer])
    const bad = watch(f(`${A}/bad`, init), clock)
    await clock.advanceAsync(60_000)
    expect(bad.state).not.toBe('pending')
    expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })

    f.configure({ ...options, isThrottled: () => false, backoff: () => 0, random: () => 0 })
    const good = callAll({ f, clock }, paths(3))
    await clock.advanceAsync(5000)
    expect(statusesOf(good)).toEqual([200, 200, 200])
    expect(server.peak).toBe(1)
    expect(server.paths().slice(-3)).toEqual(paths(3))
  })

  it.each<[string, RateLimitedFetchOptions]>([
    ['backoff', { backoff: thrower().fail }],
    ['random', { random: thrower().fail }],
    ['retryNonIdempotent', { retryNonIdempotent: thrower().fail }],
  ])('R149 %s: the gate closes all the same for as long as the server says', async (_, options) => {
    const { f, server, clock } = start(options, [tooMany(2)])
    const bad = watch(f(`${A}/1`, post), clock)
    await clock.advanceAsync(10)
    expect(bad.state).not.toBe('pending')
    f.configure({ backoff: () => 0, random: () => 0, retryNonIdempotent: false })
    const good = watch(f(`${A}/2`), clock)
    await clock.advanceAsync(5000)
    expect(good.response?.status).toBe(200)
    expect(server.at()[1]).toBeGreaterThanOrEqual(2010)
  })

  it('R149 backoff, at a probe that is lost to the network: the gate is not stuck', async () => {
    const started = start({ backoff: thrower().fail }, [tooMany(1), networkError()])
    callAll(started, ['/0'], post)
    await started.clock.advanceAsync(10)
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(60_000)
    expect(statesOf(calls)).not.toContain('pending')
    expect(calls[1]!.response?.status).toBe(200)
  })

  it('R149 onEvent: it changes nothing', async () => {
    vi.stubGlobal('reportError', vi.fn())
    const { fail } = thrower()
    const run = async (onEvent: (() => void) | undefined): Promise<unknown[]> => {
      const started = start({ concurrency: 1, maxQueue: 4, random: () => 0.5, onEvent }, [
        500,
        tooMany(1),
        networkError(),
      ])
      const { f, server, clock } = started
      const controller = new AbortController()
      const calls = [...callAll(started, paths(4)), watch(f(`${A}/5`, { signal: controller.signal }), clock)]
      callAll(started, ['/6'])
      controller.abort()
      await clock.advanceAsync(10_000)
      return [server.at(), server.paths(), calls.map(({ state, at }) => [state, at])]
    }
    expect(await run(fail)).toEqual(await run(undefined))
  })

  it('R149 onEvent: what it throws is reported, where there is a way to', async () => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', reportError)
    const { error, fail } = thrower()
    const started = start({ onEvent: fail })
    callAll(started, ['/'])
    await started.clock.advanceAsync(10)
    expect(reportError.mock.calls).toEqual([[error], [error], [error]])
  })

  it('R10 isThrottled is not asked about what nothing is known of', async () => {
    const isThrottled = vi.fn(() => true)
    const started = start({ isThrottled }, [Response.error(), 200])
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(10)
    expect(statesOf(calls)).toEqual(['resolved', 'pending'])
    expect(isThrottled).toHaveBeenCalledTimes(1)
    await started.clock.advanceAsync(60_000)
  })

  it.each(['backoff', 'random'] as const)('R149 what %s throws is reported', async (name) => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', reportError)
    const { error, fail } = thrower()
    const started = start({ [name]: fail }, [500])
    callAll(started, ['/'])
    await started.clock.advanceAsync(1000)
    expect(new Set(reportError.mock.calls.flat())).toEqual(new Set([error]))
  })

  it('R149 a fetch that answers nothing costs its own call', async () => {
    const { f, clock } = start({ concurrency: 1, fetch: (() => undefined) as unknown as typeof fetch })
    const calls = [watch(f(`${A}/1`), clock), watch(f(`${A}/2`), clock)]
    await clock.advanceAsync(5000)
    expect(calls.map(({ state }) => state)).not.toContain('pending')
    expect(f.snapshot()).toMatchObject({ queued: 0, inFlight: 0 })
  })
})

const thrown = new Error('thrown by a function of the user')
const fail = (): never => {
  throw thrown
}

describe('functions of the user that throw', () => {
  it.each<[string, RateLimitedFetchOptions, Answer]>([
    ['shouldRetry', { shouldRetry: fail }, 500],
    ['holdSlot', { policies: [holdSlot(fail)] }, 200],
    ['retryNonIdempotent', { retryNonIdempotent: fail }, 200],
  ])('%s: the first window stays 8 wide', async (_, options, answer) => {
    const started = start(options, (__, index) => (index < 3 ? answer : { status: 204, latencyMs: 1000 }))
    callAll(started, paths(3), { method: 'POST' })
    await started.clock.advanceAsync(10)
    started.f.configure({ shouldRetry: undefined, policies: undefined })
    callAll(started, paths(20))
    expect(started.server.inFlight).toBeLessThanOrEqual(8)
    await started.clock.advanceAsync(60_000)
  })
})

describe('members of a policy that throw', () => {
  it.each<keyof PolicyHooks>([
    'readyAt',
    'sent',
    'read',
    'ended',
    'closed',
    'delay',
    'veto',
    'left',
    'reset',
    'isIdle',
    'snapshot',
  ])('%s: that is reported, and says nothing', async (name) => {
    const started = start({ policies: [() => ({ [name]: fail })], maxBuckets: 1, concurrency: 1 }, [
      500,
      tooMany(1),
    ])
    const { f, clock, server } = started
    const calls = callAll(started, paths(3))
    await clock.advanceAsync(5000)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
    expect(server.peak).toBe(1)
    f.reset()
    expect(f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0, sleeping: 0 })
    await clock.advanceAsync(60_000)
    const other = watch(f('https://b.test/'), clock)
    await clock.advanceAsync(10)
    expect(other.response?.status).toBe(200)
    expect(vi.mocked(reportError).mock.calls[0]).toEqual([thrown])
  })

  it('admit: the call rejects with it, and is neither queued nor sent', async () => {
    const started = start({ policies: [() => ({ admit: fail })] })
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(0)
    expect(call!.error).toBe(thrown)
    expect(started.server.calls).toBe(0)
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, inFlight: 0 })
    expect(started.events.map(({ type }) => type)).toEqual(['enqueue', 'drop'])
    expect(started.events[1]).toMatchObject({ reason: 'policy' })
  })
})
