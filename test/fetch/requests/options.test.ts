import { createRateLimitedFetch, priorities, queueTimeout, type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statesOf, watch } from '../fixtures/start.ts'

type Row = readonly [
  name: keyof RateLimitedFetchOptions,
  value: unknown,
  error: typeof RangeError | typeof TypeError,
]

const rows: Row[] = [
  ...[NaN, 0, -1, -Infinity, '5', null].flatMap((value): Row[] =>
    (['ratePerSecond', 'burst', 'concurrency'] as const).map((name) => [name, value, RangeError]),
  ),
  ['burst', 0.5, RangeError],
  ...[NaN, -1, -Infinity, '5', null].flatMap((value): Row[] =>
    (['maxQueue', 'maxRetries', 'maxWaitMs', 'maxGateMs', 'maxBuckets'] as const).map((name) => [
      name,
      value,
      RangeError,
    ]),
  ),
  ...[NaN, -1, 0, '5', null].flatMap((value): Row[] =>
    (['attemptTimeoutMs', 'totalTimeoutMs'] as const).map((name) => [name, value, RangeError]),
  ),
  ...['drop-newest', 0, null].flatMap((value): Row[] =>
    (['overflow', 'pace'] as const).map((name) => [name, value, RangeError]),
  ),
  ...[5, 'name', {}, null].flatMap((value): Row[] =>
    (['fetch', 'key', 'isThrottled', 'backoff', 'random', 'onEvent', 'shouldRetry'] as const).map((name) => [
      name,
      value,
      TypeError,
    ]),
  ),
  ...[5, null].flatMap((value): Row[] =>
    (['methods', 'statuses', 'policies'] as const).map((name) => [name, value, TypeError]),
  ),
]

describe('R47 options out of range', () => {
  it.each(rows)('R47 %s: %s is refused when the fetch is made, by name and value', (name, value, error) => {
    const make = () => createRateLimitedFetch({ [name]: value })
    expect(make).toThrow(error)
    expect(make).toThrow(name)
    expect(make).toThrow(String(value))
  })

  it('R47 an option that does not exist is refused by name', () => {
    expect(() => createRateLimitedFetch({ retries: 5 } as RateLimitedFetchOptions)).toThrow(TypeError)
    expect(() => createRateLimitedFetch({ retries: 5 } as RateLimitedFetchOptions)).toThrow('retries')
  })

  it.each(rows)(
    'R47 %s: %s is refused by configure, which then changes nothing',
    async (name, value, error) => {
      const { f, server, clock } = start({ concurrency: 3, ratePerSecond: 100 })
      const first = f(`${A}/`)
      await clock.advanceAsync(1000)
      await first
      const before = f.snapshot()

      const configure = () => f.configure({ concurrency: 1, ratePerSecond: 1, maxQueue: 0, [name]: value })
      expect(configure).toThrow(error)
      expect(configure).toThrow(name)
      expect(configure).toThrow(String(value))
      expect(f.snapshot()).toBe(before)
      const calls = [f(`${A}/1`), f(`${A}/2`), f(`${A}/3`), f(`${A}/4`)]
      expect(server.inFlight).toBe(3)
      await clock.advanceAsync(20)
      await Promise.all(calls)
    },
  )

  it.each([
    ['maxWaitMs', -1],
    ['maxWaitMs', NaN],
    ['queueTimeoutMs', 0],
    ['queueTimeoutMs', NaN],
    ['totalTimeoutMs', 0],
    ['totalTimeoutMs', NaN],
    ['priority', 'urgent'],
    ['priority', 0],
  ])('R47 %s: %s of a call is what that call rejects with, by name and value', async (name, value) => {
    const { f, server, clock } = start({ policies: [priorities(), queueTimeout(5000)] })
    const call = watch(f(`${A}/`, { rateLimit: { [name]: value } }), clock)
    await clock.advanceAsync(10)
    expect(call.error).toBeInstanceOf(RangeError)
    expect((call.error as Error).message).toContain(name)
    expect((call.error as Error).message).toContain(String(value))
    expect(server.requests).toHaveLength(0)
  })

  it('R47 Infinity is legal for every number', async () => {
    const { f, clock } = start({
      ratePerSecond: Infinity,
      burst: Infinity,
      concurrency: Infinity,
      maxQueue: Infinity,
      maxRetries: Infinity,
      maxWaitMs: Infinity,
      maxGateMs: Infinity,
      maxBuckets: Infinity,
    })
    const call = f(`${A}/`)
    await clock.advanceAsync(10)
    expect((await call).status).toBe(200)
  })

  it('R47 undefined is the default, when the fetch is made and in configure; what is not given stays', async () => {
    const { f, server, clock } = start(
      {
        key: undefined,
        ratePerSecond: undefined,
        burst: undefined,
        concurrency: undefined,
        maxQueue: undefined,
        overflow: undefined,
        maxRetries: undefined,
        methods: undefined,
        statuses: undefined,
        isThrottled: undefined,
        retryNonIdempotent: undefined,
        backoff: undefined,
        maxWaitMs: undefined,
        maxGateMs: undefined,
        maxBuckets: undefined,
        policies: undefined,
        throwOnThrottle: undefined,
      },
      () => 500,
    )
    const three = watch(f(`${A}/1`), clock)
    await clock.advanceAsync(30)
    expect(three.response?.status).toBe(500)
    f.configure({ maxRetries: 1, statuses: [404] })
    f.configure({ statuses: undefined })
    const again = watch(f(`${A}/2`), clock)
    await clock.advanceAsync(30)
    expect(again.response?.status).toBe(500)
    f.configure({ maxRetries: undefined })
    const threeAgain = watch(f(`${A}/3`), clock)
    await clock.advanceAsync(30)
    expect(threeAgain.response?.status).toBe(500)
    expect(server.paths()).toEqual(['/1', '/1', '/1', '/2', '/2', '/3', '/3', '/3'])
  })

  it('R47 the burst is what comes in a second, at least 1, when it is not given', async () => {
    const { f, clock } = start({ ratePerSecond: 5 })
    const call = f(`${A}/`)
    expect(f.snapshot(A)?.limits?.burst).toBe(5)
    f.configure({ ratePerSecond: 0.5 })
    expect(f.snapshot(A)?.limits?.burst).toBe(1)
    await clock.advanceAsync(10)
    await call
  })
})

describe('R162 configure, in place', () => {
  it('R162 keeps what is queued, sleeping and in flight', async () => {
    const started = start({ concurrency: 1, random: () => 0.5 }, [500])
    const { f, server, clock } = started
    const calls = callAll(started, ['/asleep'])
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/sent', '/queued']))
    expect(f.snapshot()).toMatchObject({ queued: 1, sleeping: 1, inFlight: 1 })

    f.configure({ maxQueue: 0, maxRetries: 5, maxWaitMs: 0, ratePerSecond: 1000, key: () => 'other' })
    expect(f.snapshot()).toMatchObject({ queued: 1, sleeping: 1, inFlight: 1 })
    await clock.advanceAsync(300)
    expect(statesOf(calls)).toEqual(['resolved', 'resolved', 'resolved'])
    expect(server.paths()).toEqual(['/asleep', '/sent', '/queued', '/asleep'])
  })

  it('R162 a higher concurrency sends what waits at once; a lower one waits until it is met', async () => {
    const started = start({ concurrency: 1 })
    const { f, server, clock } = started
    const calls = callAll(started, paths(8))
    expect(server.inFlight).toBe(1)
    f.configure({ concurrency: 3 })
    await clock.advanceAsync(0)
    expect(server.inFlight).toBe(3)
    f.configure({ concurrency: 2 })
    await clock.advanceAsync(10)
    expect(server.inFlight).toBe(2)
    await clock.advanceAsync(30)
    expect(server.at()).toEqual([0, 0, 0, 10, 10, 20, 20, 30])
    expect(statesOf(calls)).toEqual(Array(8).fill('resolved'))
  })

  it('R162 what has come of a token by then is not lost, whatever is changed, and by who listens', async () => {
    const started = start({ ratePerSecond: 1, burst: 1 })
    const { f, server, clock } = started
    callAll(started, paths(2))
    await clock.advanceAsync(600)
    f.configure({ maxQueue: 5 })
    f.subscribe(() => undefined)()
    await clock.advanceAsync(150)
    f.configure({ ratePerSecond: 0.5 })
    // Three quarters are there; the last one takes half a second.
    await clock.advanceAsync(510)
    expect(server.at()).toEqual([0, 1250])
  })

  it('R162 a change of fetch, key and retries holds for what is sent from then on', async () => {
    const { f, server, clock } = start({}, () => 500)
    const other: string[] = []
    f.configure({
      fetch: (input, init) => {
        other.push(new Request(input, init).url)
        return Promise.resolve(new Response())
      },
      key: () => 'one',
    })
    await f(`${A}/1`)
    expect(other).toEqual([`${A}/1`])
    expect(Object.keys(f.snapshot().buckets)).toEqual(['one'])
    f.configure({ fetch: server.fetch, maxRetries: 0 })
    const call = watch(f(`${A}/2`), clock)
    await clock.advanceAsync(10)
    expect(call.response?.status).toBe(500)
    expect(server.calls).toBe(1)
  })

  it('R162 the clock is not changed', async () => {
    const started = start({ ratePerSecond: 1 }, [tooMany(1)])
    const { f, server, clock } = started
    f.configure({ clock: undefined } as RateLimitedFetchOptions)
    callAll(started, paths(2))
    await clock.advanceAsync(5000)
    expect(server.at()).toEqual([0, 1010, 2010])
  })
})
