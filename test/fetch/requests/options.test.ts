import { createLimiter, debounce, tokenBucket } from 'lull/core'
import { composeRateLimitedFetch, createRateLimitedFetch, priorities, queueTimeout } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { A, callAll, paths, play, run, start, statesOf } from '../fixtures/start.ts'

type Row = [name: string, value: unknown, error: typeof RangeError | typeof TypeError]

const each = (names: string, error: Row[2], values: readonly unknown[]): Row[] =>
  names.split(' ').flatMap((name) => values.map((value): Row => [name, value, error]))

const rows: Row[] = [
  ...each('ratePerSecond burst concurrency', RangeError, [NaN, 0, -1, -Infinity, '5', null]),
  ['burst', 0.5, RangeError],
  ...each('maxQueue maxRetries maxWaitMs maxGateMs maxBuckets', RangeError, [NaN, -1, -Infinity, '5', null]),
  ...each('attemptTimeoutMs totalTimeoutMs', RangeError, [NaN, -1, 0, '5', null]),
  ['methods', ['GET', 'post'], RangeError],
  ...each('overflow pace', RangeError, ['drop-newest', 0, null]),
  ...each('fetch key isThrottled backoff random onEvent shouldRetry', TypeError, [5, 'name', {}, null]),
  ...each('methods statuses policies', TypeError, [5, null, [{}]]),
  ...each('throwOnThrottle retryNonIdempotent', TypeError, [null]),
  ['retries', 'retries', TypeError],
  ['onevent', "no option 'onevent'", TypeError],
]

function expectError(make: () => unknown, name: string, value: unknown, error: Row[2]): void {
  expect(make).toThrow(error)
  expect(make).toThrow(name)
  expect(make).toThrow(String(value))
}

describe('options out of range', () => {
  it('say what the array must hold, and who has an option of the preset', () => {
    expect(() => composeRateLimitedFetch({ methods: [5 as never] })).toThrow(
      new TypeError('Expected methods to be an array of strings, got [5]'),
    )
    expect(() => composeRateLimitedFetch({ policies: [{} as never] })).toThrow('an array of functions, got [')
    for (const name of ['ratePerSecond', 'burst', 'rule', 'pace'])
      expect(() => composeRateLimitedFetch({ [name]: 5 })).toThrow(
        new TypeError(`composeRateLimitedFetch has no option '${name}': use createRateLimitedFetch`),
      )
  })

  it.each(rows)('%s: %s throws on creation, with name and value', (name, value, error) => {
    expectError(() => createRateLimitedFetch({ [name]: value }), name, value, error)
  })

  it.each([createRateLimitedFetch, composeRateLimitedFetch])('$name throws for a fetch', (create) => {
    const error = new TypeError('Expected options of a rate-limited fetch, got a function')
    expect(() => create(fetch as never)).toThrow(error)
  })

  it.each([
    ['a function', () => () => ({})],
    ['undefined', () => undefined],
  ])('a call rejects if a policy returns %s', async (got, policy) => {
    const message = `Expected a policy, such as learnPace(), to return an object, got ${got}`
    await expect(composeRateLimitedFetch({ policies: [policy as never] })(A)).rejects.toThrow(
      new TypeError(message),
    )
  })

  it('throw in configure, which then changes nothing', async () => {
    const { f, server, clock } = start({ concurrency: 3, ratePerSecond: 100 })
    await play({ f, clock }, '/ +1000')
    const before = f.snapshot()
    for (const [name, value, error] of rows) {
      const changes = { concurrency: 1, ratePerSecond: 1, maxQueue: 0, [name]: value }
      expectError(() => f.configure(changes), name, value, error)
    }
    expect(f.snapshot()).toBe(before)
    callAll({ f, clock }, paths(4))
    expect(server.inFlight).toBe(3)
    expect(f.snapshot(A)!.limits?.ratePerSecond).toBe(100)
  })

  it.each([
    ...each('maxWaitMs maxRetries', RangeError, [-1, NaN]),
    ...each('queueTimeoutMs totalTimeoutMs', RangeError, [0, -1, NaN, '5']),
    ...each('priority', RangeError, ['urgent', 0]),
  ])('reject the call itself for %s: %s, with name and value', async (name, value, error) => {
    const options = { policies: [priorities(), queueTimeout(5000)] }
    const { server, outcomes } = await run({ calls: '/', init: { rateLimit: { [name]: value } }, options })
    const reason = outcomes[0]!.error as Error
    expect(reason).toBeInstanceOf(error)
    for (const text of [name, String(value)]) expect(reason.message).toContain(text)
    expect(server.requests).toHaveLength(0)
  })

  it('take the default for undefined, on creation and in configure; omitted options stay', async () => {
    const names = `key ratePerSecond burst concurrency maxQueue overflow maxRetries methods statuses isThrottled
      retryNonIdempotent backoff maxWaitMs maxGateMs maxBuckets policies throwOnThrottle`
    const { f, server, clock } = start(
      Object.fromEntries(names.split(/\s+/).map((name) => [name, undefined])),
      () => 500,
    )
    await play({ f, clock }, '/ +30')
    expect(server.calls).toBe(3)
    f.configure({ maxRetries: 1, statuses: [404] })
    f.configure({ statuses: undefined })
    await play({ f, clock }, '/ +30')
    expect(server.calls).toBe(3 + 2)
    f.configure({ maxRetries: undefined })
    await play({ f, clock }, '/ +30')
    expect(server.calls).toBe(3 + 2 + 3)
  })

  it("give a default burst of one second's amount, at least 1", () => {
    const { f } = start({ ratePerSecond: 5 })
    void f(A)
    expect(f.snapshot(A)?.limits?.burst).toBe(5)
    f.configure({ ratePerSecond: 0.5 })
    expect(f.snapshot(A)?.limits?.burst).toBe(1)
    f.configure({ ratePerSecond: undefined })
    expect(f.snapshot(A)?.limits).toBeUndefined()
  })
})

it('configure keeps queued, sleeping and in-flight calls', async () => {
  const { f, server, clock } = start({ concurrency: 1, random: () => 0.5 }, [500])
  const calls = await play({ f, clock }, '/asleep +10 /sent /queued')
  f.configure({ maxQueue: 0, maxRetries: 5, maxWaitMs: 0, ratePerSecond: 1000, key: () => 'other' })
  expect(f.snapshot()).toMatchObject({ queued: 1, sleeping: 1, inFlight: 1 })
  await clock.advanceAsync(300)
  expect(statesOf(calls)).toEqual(Array(3).fill('resolved'))
  expect(server.paths()).toEqual(['/asleep', '/sent', '/queued', '/asleep'])
})

it('members of Object.prototype do not affect a rate-limited fetch, a limiter or a debounce', async () => {
  const members = { polluted: 'yes', isEvil: () => true }
  Object.assign(Object.prototype, members)
  onTestFinished(() => {
    for (const name of Object.keys(members)) Reflect.deleteProperty(Object.prototype, name)
  })
  const init = { headers: { accept: 'text/plain' } }
  const { server, ends } = await run({ calls: '/path', answers: '429', init })
  expect([server.paths(), ends]).toEqual([['/path', '/path'], '200@520'])

  const clock = createManualClock()
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), { clock })
  expect([limiter.allow(), limiter.allow()]).toEqual([true, false])

  const runs: string[] = []
  const debounced = debounce((word: string) => runs.push(word), 100, { clock })
  debounced('one')
  debounced('two')
  clock.advance(100)
  expect(runs).toEqual(['two'])
  expect(clock.pending).toBe(0)
})
