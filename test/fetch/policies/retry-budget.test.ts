import { describe, expect, it } from 'vitest'
import type { FetchEvent } from '../../../src/fetch/events.ts'
import type { ComposeOptions } from '../../../src/fetch/options.ts'
import { retryBudget, type RetryBudgetOptions } from '../../../src/fetch/policies/retry-budget.ts'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, statusesOf, watch } from '../fixtures/start.ts'
import { compose } from '../fixtures/compose.ts'
import fc from 'fast-check'
import { createFakeBucket, outcome } from '../fixtures/fake-bucket.ts'

const NEVER = { reserveMs: Infinity }

const giveUps = (events: FetchEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'give-up' ? [[event.call, event.reason]] : []))

/** A paced fetch with a budget that is not refilled by time. */
const startWith = (capacity: number, answers?: Parameters<typeof compose>[2], options: ComposeOptions = {}) =>
  compose([retryBudget({ capacity, ...NEVER })], options, answers)

describe('in the paced fetch', () => {
  it.each([
    [[], 90],
    [[retryBudget(NEVER)], 40],
    [[retryBudget({ capacity: 5, ...NEVER })], 35],
  ])('30 calls to a server that is down are so many requests', async (policies, requests) => {
    const started = compose(policies, {}, () => 503)
    const { clock, server } = started
    const outcomes = paths(30).map((path, index) => {
      clock.advance(index)
      return callAll(started, [path])[0]!
    })
    await clock.advanceAsync(100_000)
    expect(statusesOf(outcomes)).toEqual(Array(30).fill(503))
    expect(server.calls).toBe(requests)
  })
})

describe('an empty budget', () => {
  it('the response is returned, unread, and the event says why', async () => {
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

  it('other reasons come first, and nothing is paid for them', async () => {
    const started = startWith(1, [500, 500, 500, 200])
    const { f, clock } = started
    callAll(started, ['/post'], { method: 'POST' })
    await clock.advanceAsync(10)
    f.configure({ maxRetries: 0, policies: [retryBudget({ capacity: 1, ...NEVER })] })
    callAll(started, ['/last'])
    await clock.advanceAsync(10)
    expect(giveUps(started.events)).toEqual([
      [1, 'method'],
      [2, 'attempts'],
    ])
    expect(f.snapshot(A)!.budget).toBe(1)
  })
})

describe('what a retry costs', () => {
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
  ])('after %s', async (_, answer, cost) => {
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
})

describe('a retry that is not sent costs nothing', () => {
  const asleep: [string, Answer][] = [
    ['asleep', 500],
    ['at the gate', tooMany(1)],
    ['at the gate that names no time', tooMany()],
  ]

  it.each(asleep)('aborted %s', async (_, answer) => {
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

  it('what was paid by one that is aborted in flight is not given back', async () => {
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
})

type Step =
  | [what: 'retry', cost: number, level: number]
  | [what: 'success', refund: number, level: number]
  | [what: 'pass', ms: number, level: number]

/** A budget that pays, earns, and gets older. Each step returns what is left. */
function open(options?: RetryBudgetOptions) {
  const bucket = createFakeBucket(retryBudget(options))
  const { hooks, clock, call } = bucket
  const level = (): number => (hooks.snapshot() as { budget: number }).budget
  const plan = (one = call(), waitMs?: number): string | undefined =>
    hooks.veto(one, outcome(waitMs === undefined ? 'failed' : 'throttled', waitMs), 0)
  const act = (what: Step[0], much: number): number => {
    if (what === 'pass') clock.advance(much)
    else {
      const one = call()
      for (let cost = 0; cost < much; cost += 0.5) {
        expect(plan(one, 1000)).toBeUndefined()
        hooks.sent(one, clock.now())
      }
      if (what === 'success') hooks.ended(one, outcome('passed'), clock.now())
    }
    return level()
  }
  return { ...bucket, level, plan, act }
}

describe('the account of a retry budget', () => {
  it.each<[string, RetryBudgetOptions | undefined, Step[]]>([
    ['begins full, at 10', undefined, [['pass', 0, 10]]],
    ['begins full, at its capacity', { capacity: 3 }, [['pass', 0, 3]]],
    [
      'pays what a retry costs',
      NEVER,
      [
        ['retry', 1, 9],
        ['retry', 0.5, 8.5],
      ],
    ],
    [
      'gets 0.1 for a success at the first attempt',
      NEVER,
      [
        ['retry', 1, 9],
        ['success', 0, 9.1],
        ['success', 0, 9.2],
      ],
    ],
    [
      'gets back what a retry has cost with its success',
      NEVER,
      [
        ['retry', 3, 7],
        ['success', 2, 7],
      ],
    ],
    [
      'holds no more than its capacity',
      { capacity: 2, ...NEVER },
      [
        ['success', 0, 2],
        ['retry', 1, 1],
        ['success', 1, 1],
      ],
    ],
    [
      'gets one every 10 s, bit by bit',
      undefined,
      [
        ['retry', 10, 0],
        ['pass', 5000, 0.5],
        ['pass', 5000, 1],
        ['retry', 1, 0],
        ['pass', 1e9, 10],
        ['retry', 1, 9],
      ],
    ],
    [
      'takes another deposit and another reserve',
      { deposit: 0.5, reserveMs: 1000 },
      [
        ['retry', 5, 5],
        ['success', 0, 5.5],
        ['pass', 1000, 6.5],
      ],
    ],
    [
      'may have neither',
      { deposit: 0, ...NEVER },
      [
        ['retry', 5, 5],
        ['success', 0, 5],
        ['pass', 1e12, 5],
      ],
    ],
  ])('%s', (_, options, steps) => {
    const { act } = open(options)
    for (const [what, much, level] of steps) expect(act(what, much)).toBeCloseTo(level, 9)
  })

  it.each([
    ['a failure costs 1', undefined, 9],
    ['a throttle with a time costs 0.5', 0, 9.5],
  ])('%s, when the retry is sent', (_, waitMs, left) => {
    const { call, plan, hooks, level } = open(NEVER)
    const one = call()
    plan(one, waitMs)
    expect(level()).toBe(10)
    hooks.sent(one, 0)
    expect(level()).toBe(left)
  })

  it('costs nothing if the retry is not sent', () => {
    const { call, plan, hooks, level } = open({ capacity: 1, ...NEVER })
    const one = call()
    expect([plan(one), plan()]).toEqual([undefined, 'budget'])
    hooks.left(one, undefined)
    expect([level(), plan()]).toEqual([1, undefined])
  })

  it('plans no more retries than it can pay', () => {
    const { plan } = open({ capacity: 2, ...NEVER })
    expect([plan(), plan(undefined, 0), plan(), plan(undefined, 0), plan(undefined, 0)]).toEqual([
      undefined,
      undefined,
      'budget',
      undefined,
      'budget',
    ])
  })

  it('gives back once, if what succeeded is sent again nevertheless', () => {
    const { call, plan, hooks, level } = open(NEVER)
    const one = call()
    for (const left of [10, 10]) {
      plan(one)
      hooks.sent(one, 0)
      hooks.ended(one, outcome('passed'), 0)
      expect(level()).toBe(left)
    }
  })

  it('loses and gains nothing when the clock is set back', () => {
    let now = 5000
    const { veto, snapshot, sent } = retryBudget()({ now: () => now } as never)
    const one = {} as never
    veto!(one, outcome('failed'), 0)
    sent!(one, now)
    const level = (): unknown => (snapshot!() as { budget: number }).budget
    for (const [at, left] of [
      [0, 9],
      [5000, 9],
      [15_000, 10],
    ] as const) {
      now = at
      expect(level()).toBe(left)
    }
  })

  it('never has more than its capacity, nor pays more than it was given', () => {
    const step = fc.tuple(fc.constantFrom<Step[0]>('retry', 'success', 'pass'), fc.nat({ max: 40 }))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
        const { clock, call, hooks, plan, level } = open({ capacity, deposit: 0.25, reserveMs: 8 })
        let given = capacity
        let paid = 0
        for (const [what, much] of steps) {
          if (what === 'pass') clock.advance(much)
          const one = call()
          if (what === 'retry' && plan(one) === undefined) {
            hooks.sent(one, clock.now())
            paid++
          }
          if (what === 'success') hooks.ended(one, outcome('passed'), clock.now())
          given += what === 'pass' ? much / 8 : what === 'success' ? 0.25 : 0
          expect(level()).toBeLessThanOrEqual(capacity)
          expect(level()).toBeGreaterThanOrEqual(0)
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
  ])('%o is no option', (options, message) => {
    expect(() => retryBudget(options)).toThrow(new RangeError(`Expected retryBudget ${message}`))
  })
})
