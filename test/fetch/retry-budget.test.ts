import fc from 'fast-check'
import {
  createRetryBudget,
  type FetchEvent,
  type RateLimitedFetchOptions,
  type RetryBudgetOptions,
} from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany, type Answer } from './fake-server.ts'
import { A, B, callAll, paths, start, statesOf, statusesOf, watch } from './start.ts'

const NEVER = { reserveMs: Infinity }

type Step = [what: 'pay' | 'success' | 'pass', much: number, level: number]

/** An account at an instant that the test moves on. */
function open(options?: RetryBudgetOptions, since = 0) {
  let now = since
  const account = createRetryBudget(options)(() => now)
  return {
    account,
    /** Does the step, and answers the level. */
    act: (what: Step[0], much: number): number => {
      if (what === 'pay') account.pay(much)
      else if (what === 'success') account.succeeded(much)
      else now += much
      return account.level()
    },
  }
}

describe('R91 an account of retries', () => {
  it.each<[string, RetryBudgetOptions | undefined, Step[]]>([
    ['begins full, at 10', undefined, [['pass', 0, 10]]],
    ['begins full, at its capacity', { capacity: 3 }, [['pass', 0, 3]]],
    [
      'pays what a retry costs',
      NEVER,
      [
        ['pay', 1, 9],
        ['pay', 0.5, 8.5],
        ['pay', 1, 7.5],
      ],
    ],
    [
      'gets 0.1 for a success at the first attempt',
      NEVER,
      [
        ['pay', 1, 9],
        ['success', 0, 9.1],
        ['success', 0, 9.2],
      ],
    ],
    [
      'gets what was paid for the success of a retry',
      NEVER,
      [
        ['pay', 3, 7],
        ['pay', 1, 6],
        ['success', 2, 8],
        ['pay', 0.5, 7.5],
        ['success', 0.5, 8],
      ],
    ],
    [
      'holds no more than its capacity',
      { capacity: 2, ...NEVER },
      [
        ['success', 0, 2],
        ['success', 5, 2],
        ['pay', 1, 1],
        ['success', 5, 2],
      ],
    ],
    [
      'gets one every 10 s, bit by bit',
      undefined,
      [
        ['pay', 10, 0],
        ['pass', 5000, 0.5],
        ['pass', 5000, 1],
        ['pay', 1, 0],
        ['pass', 1e9, 10],
        ['pay', 1, 9],
      ],
    ],
    [
      'saves nothing while it is full',
      undefined,
      [
        ['pass', 1e9, 10],
        ['pay', 2, 8],
      ],
    ],
    [
      'takes another deposit and another reserve',
      { deposit: 0.5, reserveMs: 1000 },
      [
        ['pay', 5, 5],
        ['success', 0, 5.5],
        ['pass', 1000, 6.5],
      ],
    ],
    [
      'may have neither',
      { deposit: 0, ...NEVER },
      [
        ['pay', 5, 5],
        ['success', 0, 5],
        ['pass', 1e12, 5],
      ],
    ],
    [
      'loses and gains nothing when the clock is set back',
      undefined,
      [
        ['pay', 5, 5],
        ['pass', -5000, 5],
        ['pass', 5000, 5],
        ['pass', 10_000, 6],
      ],
    ],
  ])('R91 %s', (_, options, steps) => {
    const { act } = open(options)
    for (const [what, much, level] of steps) expect(act(what, much)).toBeCloseTo(level, 9)
  })

  it.each([
    [1, 1, true],
    [1, 0.5, true],
    [0.9, 1, false],
    [0.5, 0.5, true],
    [0, 0.5, false],
    [0, 0, true],
  ])('R91 at %d it can pay %d: %s', (level, cost, can) => {
    const { account } = open(NEVER)
    account.pay(10 - level)
    expect(account.canPay(cost)).toBe(can)
  })

  it('R91 each bucket has its own', () => {
    const budget = createRetryBudget(NEVER)
    const [one, other] = [budget(() => 0), budget(() => 0)]
    one.pay(5)
    expect([one.level(), other.level()]).toEqual([5, 10])
  })

  it('R91 never has more than its capacity, nor pays more than it was given', () => {
    const step = fc.tuple(fc.constantFrom<Step[0]>('pay', 'success', 'pass'), fc.nat({ max: 40 }))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
        const { account, act } = open({ capacity, deposit: 0.25, reserveMs: 8 }, 1e6)
        let given = capacity
        let paid = 0
        for (const [what, much] of steps) {
          if (what !== 'pay') act(what, much)
          else if (account.canPay(much)) {
            act(what, much)
            paid += much
          }
          if (what === 'success') given += much || 0.25
          if (what === 'pass') given += much / 8
          expect(account.level()).toBeLessThanOrEqual(capacity)
          expect(account.level()).toBeGreaterThanOrEqual(0)
          expect(paid).toBeLessThanOrEqual(given)
        }
      }),
    )
  })

  it.each<[RetryBudgetOptions, string]>([
    [{ capacity: 0.5 }, 'capacity >= 1, got 0.5'],
    [{ capacity: NaN }, 'capacity >= 1, got NaN'],
    [{ deposit: -0.1 }, 'deposit >= 0, got -0.1'],
    [{ reserveMs: 0 }, 'reserveMs > 0, got 0'],
    [{ reserveMs: '1' as never }, 'reserveMs > 0, got 1'],
  ])('R91 %o is no option', (options, message) => {
    expect(() => createRetryBudget(options)).toThrow(new RangeError(`Expected ${message}`))
  })
})

const giveUps = (events: FetchEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'give-up' ? [[event.call, event.reason]] : []))

/** A paced fetch with a budget that is not refilled by time. */
const startWith = (
  capacity: number,
  answers?: Parameters<typeof start>[1],
  options: RateLimitedFetchOptions = {},
) => start({ retryBudget: createRetryBudget({ capacity, ...NEVER }), ...options }, answers)

describe('R91 in the paced fetch', () => {
  it.each([
    [undefined, 90],
    [createRetryBudget(NEVER), 40],
    [createRetryBudget({ capacity: 5, ...NEVER }), 35],
  ])('R91 30 calls to a server that is down are so many requests', async (retryBudget, requests) => {
    const started = start({ retryBudget }, () => 503)
    const { clock, server } = started
    const outcomes = paths(30).map((path, index) => {
      clock.advance(index)
      return callAll(started, [path])[0]!
    })
    await clock.advanceAsync(100_000)
    expect(statusesOf(outcomes)).toEqual(Array(30).fill(503))
    expect(server.calls).toBe(requests)
  })

  it('R91 of those that fail at once no more are sent again than the budget has', async () => {
    const started = startWith(4, (_, index) => (index < 8 ? 500 : 200))
    const outcomes = callAll(started, paths(8))
    await started.clock.advanceAsync(10)
    expect(statusesOf(outcomes).filter((status) => status === 500)).toHaveLength(4)
    await started.clock.advanceAsync(10)
    expect(statusesOf(outcomes).filter((status) => status === 200)).toHaveLength(4)
    expect(started.server.calls).toBe(12)
  })

  it('R91 each origin has its own', async () => {
    const { f, server, clock } = startWith(1, () => 500)
    for (const url of [A, A, B, B]) void f(url)
    await clock.advanceAsync(100)
    const count = (origin: string): number =>
      server.requests.filter(({ url }) => url.startsWith(origin)).length
    expect([count(A), count(B)]).toEqual([3, 3])
  })

  it('R91 successes at the first attempt bring retries back', async () => {
    let isDown = true
    const started = startWith(1, () => (isDown ? 500 : 200))
    const { f, server, clock } = started
    callAll(started, ['/'])
    await clock.advanceAsync(100)
    expect([server.calls, f.snapshot(A)!.budget]).toEqual([2, 0])
    for (const retries of [0, 1]) {
      isDown = false
      callAll(started, paths(retries ? 10 : 9))
      await clock.advanceAsync(10)
      isDown = true
      const before = server.calls
      callAll(started, ['/'])
      await clock.advanceAsync(100)
      expect(server.calls - before).toBe(1 + retries)
      // What is left of the first round.
      if (!retries) expect(f.snapshot(A)!.budget).toBeCloseTo(0.9)
    }
  })

  it.each<[string, Answer[], number[]]>([
    ['one retry', [500, 200], [2, 1, 2]],
    ['two retries', [500, 500, 200], [2, 1, 0, 2]],
    ['a retry that is answered with another status', [500, 404], [2, 1, 2]],
    ['a retry that fails', [networkError(), 500, 500], [2, 1, 0, 0]],
  ])('R91 %s: what it costs comes back with its success', async (_, answers, levels) => {
    const started = startWith(2, answers)
    const { f, clock } = started
    callAll(started, ['/'])
    const seen: (number | undefined)[] = []
    for (let attempt = 0; attempt < levels.length; attempt++) {
      seen.push(f.snapshot(A)!.budget)
      await clock.advanceAsync(10)
    }
    expect(seen).toEqual(levels)
  })

  it('R91 what a server refuses for other reasons than load is a success', async () => {
    const started = startWith(1, (_, index) => (index < 2 ? 500 : 404))
    callAll(started, ['/'])
    await started.clock.advanceAsync(20)
    callAll(started, paths(10))
    await started.clock.advanceAsync(50)
    expect(started.f.snapshot(A)!.budget).toBeCloseTo(1)
  })

  it('R91 one comes back each reserveMs, whatever happens', async () => {
    const started = start({ retryBudget: createRetryBudget({ capacity: 1 }) }, () => 500)
    const { server, clock } = started
    for (const requests of [2, 1, 2]) {
      const before = server.calls
      callAll(started, ['/'])
      await clock.advanceAsync(5000)
      expect(server.calls - before).toBe(requests)
    }
  })

  it('R91 without one there is no limit, and none is shown', async () => {
    const started = start({}, () => 500)
    callAll(started, paths(20))
    await started.clock.advanceAsync(100)
    expect(started.server.calls).toBe(60)
    expect(started.f.snapshot(A)!.budget).toBeUndefined()
  })
})

describe('R92 an empty budget', () => {
  it('R92 the response is returned, unread, and the event says why', async () => {
    const started = startWith(1, () => ({ status: 503, body: 'why' }))
    const outcomes = callAll(started, ['/1', '/2'])
    await started.clock.advanceAsync(20)
    expect(statusesOf(outcomes)).toEqual([503, 503])
    for (const { response } of outcomes) expect(await response!.text()).toBe('why')
    expect(giveUps(started.events)).toEqual([
      [2, 'budget'],
      [1, 'budget'],
    ])
  })

  it('R92 after an error of the network, that is what it rejects with', async () => {
    const error = networkError()
    const started = startWith(1, () => error)
    const outcomes = callAll(started, ['/1', '/2'])
    await started.clock.advanceAsync(20)
    for (const outcome of outcomes) expect(outcome.error).toBe(error)
    expect(giveUps(started.events)).toHaveLength(2)
  })

  it('R92 of a throttled call too, at once', async () => {
    const started = startWith(1, () => tooMany(1), { maxRetries: 5 })
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(5000)
    // Two at 0.5, and then none.
    expect(started.server.at()).toEqual([0, 1010, 2020])
    expect(call).toMatchObject({ state: 'resolved', at: 2030 })
    expect(giveUps(started.events)).toEqual([[1, 'budget']])
  })

  it('R92 with throwOnThrottle it is thrown', async () => {
    const started = startWith(1, () => tooMany(), { throwOnThrottle: true, maxRetries: 5 })
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(60_000)
    expect(call!.error).toMatchObject({ name: 'RateLimitError', code: 'throttled', attempts: 2 })
  })

  it('R92 other reasons come first, and nothing is paid for them', async () => {
    const started = startWith(1, [500, 500, 500, 200])
    const { f, clock } = started
    callAll(started, ['/post'], { method: 'POST' })
    await clock.advanceAsync(10)
    f.configure({ maxRetries: 0, retryBudget: createRetryBudget({ capacity: 1, ...NEVER }) })
    callAll(started, ['/last'])
    await clock.advanceAsync(10)
    expect(giveUps(started.events)).toEqual([
      [1, 'method'],
      [2, 'attempts'],
    ])
    expect(f.snapshot(A)!.budget).toBe(1)
  })
})

describe('R93 what a retry costs', () => {
  it.each<[string, Answer, number]>([
    ['429 with a time', tooMany(1), 0.5],
    ['429 with the time 0', tooMany(0), 0.5],
    ['503 with a time', { status: 503, headers: { 'retry-after': '1' } }, 0.5],
    ['429 with a time of another header', { status: 429, headers: { 'retry-after-ms': '1000' } }, 0.5],
    ['429 without a time', tooMany(), 1],
    ['429 with a time that is none', { status: 429, headers: { 'retry-after': 'soon' } }, 1],
    ['503 without a time', 503, 1],
    ['500 with a time, which is no throttle', { status: 500, headers: { 'retry-after': '1' } }, 1],
    ['an error of the network', networkError(), 1],
  ])('R93 after %s', async (_, answer, cost) => {
    const started = startWith(10, [answer, 500, 500])
    const levels = new Set<number | undefined>()
    callAll(started, ['/'])
    while (started.server.calls < 2) {
      await started.clock.advanceAsync(10)
      levels.add(started.f.snapshot(A)!.budget)
    }
    expect([...levels].at(-1)).toBe(10 - cost)
    await started.clock.advanceAsync(5000)
  })

  it('R93 a throttled call that succeeds gets 0.5 back', async () => {
    const started = startWith(10, [500, 500, tooMany(1), 200], { maxRetries: 3 })
    callAll(started, ['/1', '/2'])
    await started.clock.advanceAsync(20)
    expect(started.f.snapshot(A)!.budget).toBeLessThan(10)
    await started.clock.advanceAsync(5000)
    expect(started.f.snapshot(A)!.budget).toBe(10)
  })
})

describe('R94 a retry that is not sent costs nothing', () => {
  const asleep: [string, Answer][] = [
    ['asleep', 500],
    ['at the gate', tooMany(1)],
    ['at the gate that names no time', tooMany()],
  ]

  it.each(asleep)('R94 aborted %s', async (_, answer) => {
    const started = startWith(4, [500, 500, 500, answer], { random: () => 0.5 })
    const { f, clock } = started
    callAll(started, ['/'])
    await clock.advanceAsync(5000)
    expect(f.snapshot(A)!.budget).toBe(2)
    const controller = new AbortController()
    const call = watch(f(A, { signal: controller.signal }), clock)
    await clock.advanceAsync(20)
    controller.abort()
    expect(f.snapshot(A)!.budget).toBe(2)
    await clock.advanceAsync(5000)
    expect(call.state).toBe('rejected')
    expect(f.snapshot(A)!.budget).toBe(2)
  })

  it.each(asleep)('R94 disposed of %s', async (_, answer) => {
    const started = startWith(1, [answer], { random: () => 0.5 })
    const outcomes = callAll(started, ['/'])
    await started.clock.advanceAsync(20)
    started.f.dispose()
    await started.clock.advanceAsync(0)
    expect(statesOf(outcomes)).toEqual(['rejected'])
    expect(started.f.snapshot(A)!.budget).toBe(1)
  })

  it('R94 given up in the queue for a newer one', async () => {
    const started = startWith(1, [{ status: 429, latencyMs: 5 }, 200], {
      maxQueue: 1,
      concurrency: 1,
      overflow: 'drop-oldest',
    })
    const outcomes = callAll(started, ['/1'])
    await started.clock.advanceAsync(5)
    expect(started.f.snapshot(A)).toMatchObject({ queued: 1, budget: 0 })
    outcomes.push(...callAll(started, ['/2']))
    expect(started.f.snapshot(A)!.budget).toBe(1)
    await started.clock.advanceAsync(5000)
    expect(statesOf(outcomes)).toEqual(['rejected', 'resolved'])
  })

  it('R94 what was paid by one that is aborted in flight is not given back', async () => {
    const started = startWith(2, [500, 500])
    const { f, clock } = started
    const controller = new AbortController()
    watch(f(A, { signal: controller.signal }), clock)
    await clock.advanceAsync(15)
    expect(started.server.inFlight).toBe(1)
    controller.abort()
    await clock.advanceAsync(10)
    expect(f.snapshot(A)!.budget).toBe(1)
  })

  it('R94 one that is kept from being sent does not keep another from it', async () => {
    const started = startWith(1, [500, 500, 200, 200], { random: () => 0.5 })
    const { f, clock, server } = started
    const controller = new AbortController()
    watch(f(`${A}/1`, { signal: controller.signal }), clock)
    await clock.advanceAsync(10)
    controller.abort()
    const other = watch(f(`${A}/2`), clock)
    await clock.advanceAsync(5000)
    expect(other.response?.status).toBe(200)
    expect(server.paths()).toEqual(['/1', '/2', '/2'])
  })
})

describe('R91 another budget', () => {
  it('R91 is the one that counts from then on, and none is no limit', async () => {
    const { f, clock, server } = start({ retryBudget: createRetryBudget({ capacity: 1 }) }, () => 500)
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(100)
    expect(call.response?.status).toBe(500)
    expect(server.requests).toHaveLength(2)
    f.configure({ retryBudget: createRetryBudget({ capacity: 10 }) })
    expect(f.snapshot(A)?.budget).toBe(10)
    f.configure({ retryBudget: undefined })
    expect(f.snapshot(A)?.budget).toBeUndefined()
    const more = watch(f(`${A}/`), clock)
    await clock.advanceAsync(100)
    expect(more.response?.status).toBe(500)
    expect(server.requests).toHaveLength(5)
  })
})
