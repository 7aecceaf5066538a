import { describe, expect, it } from 'vitest'
import type { FetchEvent } from '../../../src/fetch/events.ts'
import type { ComposeOptions } from '../../../src/fetch/options.ts'
import { retryBudget } from '../../../src/fetch/policies/retry-budget.ts'
import { networkError, tooMany, type Answer } from '../fake-server.ts'
import { A, B, callAll, paths, statesOf, statusesOf, watch } from '../start.ts'
import { compose } from './compose.ts'

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

  it('of those that fail at once no more are sent again than the budget has', async () => {
    const started = startWith(4, (_, index) => (index < 8 ? 500 : 200))
    const outcomes = callAll(started, paths(8))
    await started.clock.advanceAsync(10)
    expect(statusesOf(outcomes).filter((status) => status === 500)).toHaveLength(4)
    await started.clock.advanceAsync(10)
    expect(statusesOf(outcomes).filter((status) => status === 200)).toHaveLength(4)
    expect(started.server.calls).toBe(12)
  })

  it('each origin has its own', async () => {
    const { f, server, clock } = startWith(1, () => 500)
    for (const url of [A, A, B, B]) void f(url)
    await clock.advanceAsync(100)
    const count = (origin: string): number =>
      server.requests.filter(({ url }) => url.startsWith(origin)).length
    expect([count(A), count(B)]).toEqual([3, 3])
  })

  it('successes at the first attempt bring retries back', async () => {
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
  ])('%s: what it costs comes back with its success', async (_, answers, levels) => {
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

  it('what a server refuses for other reasons than load is a success', async () => {
    const started = startWith(1, (_, index) => (index < 2 ? 500 : 404))
    callAll(started, ['/'])
    await started.clock.advanceAsync(20)
    callAll(started, paths(10))
    await started.clock.advanceAsync(50)
    expect(started.f.snapshot(A)!.budget).toBeCloseTo(1)
  })

  it('one comes back each reserveMs, whatever happens', async () => {
    const started = compose([retryBudget({ capacity: 1 })], {}, () => 500)
    const { server, clock } = started
    for (const requests of [2, 1, 2]) {
      const before = server.calls
      callAll(started, ['/'])
      await clock.advanceAsync(5000)
      expect(server.calls - before).toBe(requests)
    }
  })

  it('without one there is no limit, and none is shown', async () => {
    const started = compose([], {}, () => 500)
    callAll(started, paths(20))
    await started.clock.advanceAsync(100)
    expect(started.server.calls).toBe(60)
    expect(started.f.snapshot(A)!.budget).toBeUndefined()
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

  it('a throttled call that succeeds gets 0.5 back', async () => {
    const started = startWith(10, [500, 500, tooMany(1), 200], { maxRetries: 3 })
    callAll(started, ['/1', '/2'])
    await started.clock.advanceAsync(20)
    expect(started.f.snapshot(A)!.budget).toBeLessThan(10)
    await started.clock.advanceAsync(5000)
    expect(started.f.snapshot(A)!.budget).toBe(10)
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

  it.each(asleep)('disposed of %s', async (_, answer) => {
    const started = startWith(1, [answer], { random: () => 0.5 })
    const outcomes = callAll(started, ['/'])
    await started.clock.advanceAsync(20)
    started.f.dispose()
    await started.clock.advanceAsync(0)
    expect(statesOf(outcomes)).toEqual(['rejected'])
    expect(started.f.snapshot(A)!.budget).toBe(1)
  })

  it('given up in the queue for a newer one', async () => {
    const started = startWith(1, [{ status: 429, latencyMs: 5 }, 200], {
      maxQueue: 1,
      concurrency: 1,
      overflow: 'drop-oldest',
    })
    const outcomes = callAll(started, ['/1'])
    await started.clock.advanceAsync(5)
    expect(started.f.snapshot(A)).toMatchObject({ queued: 1, budget: 1 })
    outcomes.push(...callAll(started, ['/2']))
    expect(started.f.snapshot(A)!.budget).toBe(1)
    await started.clock.advanceAsync(5000)
    expect(statesOf(outcomes)).toEqual(['rejected', 'resolved'])
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

  it('one that is kept from being sent does not keep another from it', async () => {
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

describe('another budget', () => {
  it('is the one that counts from then on, and none is no limit', async () => {
    const { f, clock, server } = compose([retryBudget({ capacity: 1 })], {}, () => 500)
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(100)
    expect(call.response?.status).toBe(500)
    expect(server.requests).toHaveLength(2)
    f.configure({ policies: [retryBudget()] })
    expect(f.snapshot(A)?.budget).toBe(10)
    f.configure({ policies: [] })
    expect(f.snapshot(A)?.budget).toBeUndefined()
    const more = watch(f(`${A}/`), clock)
    await clock.advanceAsync(100)
    expect(more.response?.status).toBe(500)
    expect(server.requests).toHaveLength(5)
  })
})
