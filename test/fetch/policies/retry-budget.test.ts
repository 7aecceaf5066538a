import { describe, expect, it } from 'vitest'
import type { FetchEvent } from '../../../src/fetch/events.ts'
import type { ComposeOptions } from '../../../src/fetch/options.ts'
import { retryBudget } from '../../../src/fetch/policies/retry-budget.ts'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, B, callAll, paths, statusesOf, watch } from '../fixtures/start.ts'
import { compose } from '../fixtures/compose.ts'

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

  it('each origin has its own', async () => {
    const { f, server, clock } = startWith(1, () => 500)
    for (const url of [A, A, B, B]) void f(url)
    await clock.advanceAsync(100)
    const count = (origin: string): number =>
      server.requests.filter(({ url }) => url.startsWith(origin)).length
    expect([count(A), count(B)]).toEqual([3, 3])
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

  it('after an error of the network, that is what it rejects with', async () => {
    const error = networkError()
    const started = startWith(1, () => error)
    const outcomes = callAll(started, ['/1', '/2'])
    await started.clock.advanceAsync(20)
    for (const outcome of outcomes) expect(outcome.error).toBe(error)
    expect(giveUps(started.events)).toHaveLength(2)
  })

  it('of a throttled call too, at once', async () => {
    const started = startWith(1, () => tooMany(1), { maxRetries: 5 })
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(5000)
    // Two at 0.5, and then none.
    expect(started.server.at()).toEqual([0, 1010, 2020])
    expect(call).toMatchObject({ state: 'resolved', at: 2030 })
    expect(giveUps(started.events)).toEqual([[1, 'budget']])
  })

  it('with throwOnThrottle it is thrown', async () => {
    const started = startWith(1, () => tooMany(), { throwOnThrottle: true, maxRetries: 5 })
    const [call] = callAll(started, ['/'])
    await started.clock.advanceAsync(60_000)
    expect(call!.error).toMatchObject({ name: 'RateLimitError', code: 'throttled', attempts: 2 })
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
