import { priorities, type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import {
  A,
  callAll,
  callWith,
  endOf,
  paths,
  run,
  start,
  statesOf,
  statusesOf,
  tick,
  watch,
} from '../fixtures/start.ts'

describe('slots', () => {
  it('there are never more requests in flight than the concurrency, and what waits goes as one comes back', async () => {
    const answers = '200~100 200~30 200~30'
    const { sent, server } = await run({ calls: paths(5).join(' '), answers, options: { concurrency: 2 } })
    expect([sent, server.peak]).toEqual(['0 0 30 60 70', 2])
  })

  it('one is freed once when the fetch resolves, rejects, throws, or its call is aborted', async () => {
    const started = start({ concurrency: 1, maxRetries: 0 }, [
      200,
      500,
      tooMany(1),
      networkError(),
      { throws: new TypeError('thrown') },
      { throws: new Error('thrown') },
      { status: 200, latencyMs: 1000 },
    ])
    const { f, server, clock } = started
    for (const path of paths(7)) {
      const controller = new AbortController()
      const call = watch(f(A + path, { signal: controller.signal }), clock)
      expect(f.snapshot(A)).toMatchObject({ inFlight: 1, queued: 0 })
      await clock.advanceAsync(20)
      controller.abort()
      await clock.advanceAsync(5000)
      expect(call.state).not.toBe('pending')
      expect(f.snapshot(A)).toMatchObject({ inFlight: 0, queued: 0, sleeping: 0 })
    }
    callAll(started, paths(3))
    await clock.advanceAsync(30)
    expect(server.peak).toBe(1)
  })

  it('a call that a listener of events makes gets its place behind, not beside', async () => {
    let nested: Promise<Response> | undefined
    const { f, server, clock } = start({
      concurrency: 1,
      ratePerSecond: 10,
      burst: 1,
      onEvent: ({ type }) => void (type === 'dispatch' && (nested ??= f(`${A}/2`))),
    })
    void f(`${A}/1`)
    await clock.advanceAsync(110)
    expect((await nested!).status).toBe(200)
    expect([server.paths(), server.at(), server.peak]).toEqual([['/1', '/2'], [0, 100], 1])
  })
})

describe('a full queue', () => {
  type Row = [why: string, calls: string, ends: string, options: RateLimitedFetchOptions]
  it.each<Row>([
    ['refuses the newcomer', '/1 /2 /3 /4', '200@10 200@20 200@30 queue-full@0', { maxQueue: 2 }],
    [
      'drops the oldest',
      '/1 /2 /3 /4',
      '200@10 queue-full@0 200@20 200@30',
      { maxQueue: 2, overflow: 'drop-oldest' },
    ],
    [
      'drops the oldest of the lowest',
      '/1 /2 /3 /4',
      '200@10 queue-full@0 200@20 200@30',
      { maxQueue: 2, overflow: 'drop-lowest' },
    ],
    ['has no place', '/1 /2 10:/3', '200@10 queue-full@0 200@20', { maxQueue: 0 }],
    [
      'has no place for the newcomer',
      '/1 /2 10:/3',
      '200@10 queue-full@0 200@20',
      { maxQueue: 0, overflow: 'drop-oldest' },
    ],
  ])('%s: %s', async (_, calls, ends, options) => {
    const done = await run({ calls, options: { concurrency: 1, ...options } })
    expect(done.ends).toBe(ends)
    expect(done.events.filter(({ type }) => type === 'drop')).toMatchObject([{ at: 0, reason: 'queue-full' }])
  })

  it.each([
    ['reject-new', [5]],
    ['drop-oldest', [2]],
    ['drop-lowest', [3]],
  ] as const)('by priority: %s drops call %o', async (overflow, dropped) => {
    const started = start({ concurrency: 1, maxQueue: 3, overflow, policies: [priorities()] })
    const calls = callWith(started, [['/1'], ['/2'], ['/3', 'low'], ['/4', 'low'], ['/5', 'high']])
    await started.clock.advanceAsync(100)
    expect(calls.flatMap((call, index) => (endOf(call) === 'queue-full@0' ? [index + 1] : []))).toEqual(
      dropped,
    )
    expect(started.server.requests).toHaveLength(4)
  })

  it('drop-lowest drops the newcomer itself if it is lowest', async () => {
    const started = start({ concurrency: 1, maxQueue: 2, overflow: 'drop-lowest', policies: [priorities()] })
    const calls = callWith(started, [['/1'], ['/2'], ['/3', 'high'], ['/4', 'low']])
    await started.clock.advanceAsync(100)
    expect(statesOf(calls)).toEqual(['resolved', 'resolved', 'resolved', 'rejected'])
  })

  it('says when there may be room', async () => {
    const { outcomes } = await run({ calls: '/1 400:/2', options: { ratePerSecond: 1, maxQueue: 0 } })
    expect(outcomes[1]!.error).toMatchObject({
      name: 'RateLimitError',
      code: 'queue-full',
      retryAfterMs: 600,
    })
  })

  it('refuses newcomers, and drops nobody, when maxQueue is lowered below what waits', async () => {
    const started = start({ concurrency: 1 })
    const { f, server, clock } = started
    const calls = callAll(started, paths(6))
    f.configure({ maxQueue: 2 })
    const refused = callAll(started, ['/7'])
    await clock.advanceAsync(30)
    // Two wait now: full.
    refused.push(...callAll(started, ['/8']))
    await clock.advanceAsync(10)
    calls.push(...callAll(started, ['/9']))
    await clock.advanceAsync(50)
    expect([statesOf(refused), statusesOf(calls)]).toEqual([Array(2).fill('rejected'), Array(7).fill(200)])
    expect(server.paths()).toEqual([...paths(6), '/9'])
  })

  it('does not refuse a call that comes back from an attempt', async () => {
    const started = start({ concurrency: 1, maxQueue: 1, random: () => 0.5 }, [500, tooMany(1)])
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(10)
    callAll(started, ['/3'])
    expect(started.f.snapshot(A)).toMatchObject({ queued: 1, sleeping: 1, inFlight: 1 })
    await started.clock.advanceAsync(5000)
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(started.server.paths()).toEqual(['/1', '/2', '/1', '/2', '/3'])
  })

  it('has the slot of a call free that throwOnThrottle rejects', async () => {
    const options = { throwOnThrottle: true, maxRetries: 0, concurrency: 1 }
    const { ends } = await run({ calls: '/1 /2', answers: '429/1', options })
    expect(ends).toBe('throttled@10 200@1020')
  })
})

describe('a long queue', () => {
  it('takes in and lets go of 10,000 calls in any order, each at the cost of a few comparisons', async () => {
    const options = { concurrency: 1, maxQueue: Infinity, policies: [priorities()] }
    const { f, clock, server } = start(options, () => ({ status: 200, latencyMs: 0 }))
    const rank = ['high', 'auto', 'low'] as const
    const calls = Array.from({ length: 10_000 }, (_, index) =>
      f(`${A}/${index}`, { priority: rank[index % 3]! }),
    )
    await clock.advanceAsync(1)
    expect(await Promise.all(calls)).toHaveLength(10_000)
    const sent = server.paths().map((path) => Number(path.slice(1)))
    expect(sent.slice(1)).toEqual(sent.slice(1).sort((a, b) => (a % 3) - (b % 3) || a - b))
  })

  it('lets go the next when 10,000 queued calls are aborted, and keeps none', async () => {
    const { f, clock, server } = start({ concurrency: 1, maxQueue: Infinity })
    const controllers = paths(10_000).map(() => new AbortController())
    void f(`${A}/first`)
    const calls = controllers.map(({ signal }, index) => watch(f(`${A}/${index}`, { signal }), clock))
    void f(`${A}/last`)
    for (const controller of controllers) controller.abort()
    expect(f.snapshot(A)!.queued).toBe(1)
    await tick()
    await clock.advanceAsync(20)
    expect(new Set(statesOf(calls))).toEqual(new Set(['rejected']))
    expect(server.paths()).toEqual(['/first', '/last'])
  })
})
