import { describe, expect, it } from 'vitest'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statesOf, statusesOf, tick, watch } from '../fixtures/start.ts'
import { priorities } from 'lull/fetch'
import { callWith } from '../fixtures/start.ts'

describe('R72 slots', () => {
  it('R72 there are never more requests in flight than the concurrency, and what waits goes as one comes back', async () => {
    const started = start({ concurrency: 2 }, [
      { status: 200, latencyMs: 100 },
      { status: 200, latencyMs: 30 },
      { status: 200, latencyMs: 30 },
    ])
    const { server, clock } = started
    callAll(started, paths(5))
    await clock.advanceAsync(100)
    expect(server.at()).toEqual([0, 0, 30, 60, 70])
    expect(server.peak).toBe(2)
  })

  it('R72 a slot is freed once when the fetch resolves, rejects, throws, or its call is aborted', async () => {
    const started = start({ concurrency: 1, maxRetries: 0 }, [
      200,
      500,
      tooMany(1),
      networkError(),
      new Error('not of the network'),
      { throws: new TypeError('thrown') },
      { throws: new Error('thrown') },
      { status: 200, latencyMs: 1000 },
    ])
    const { f, server, clock } = started
    for (const path of paths(8)) {
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
    expect(server.inFlight).toBe(1)
    await clock.advanceAsync(30)
    expect(server.peak).toBe(1)
  })

  it('R72 a listener of events that makes a call gets its place behind, not beside', async () => {
    let nested: Promise<Response> | undefined
    let isFirst = true
    const { f, server, clock } = start({
      concurrency: 1,
      ratePerSecond: 10,
      burst: 1,
      onEvent({ type }) {
        if (type !== 'dispatch' || !isFirst) return
        isFirst = false
        nested = f(`${A}/2`)
      },
    })
    const call = f(`${A}/1`)
    await clock.advanceAsync(110)
    expect((await call).status).toBe(200)
    expect((await nested!).status).toBe(200)
    expect(server.paths()).toEqual(['/1', '/2'])
    expect(server.at()).toEqual([0, 100])
    expect(server.peak).toBe(1)
  })
})

describe('R74 a full queue', () => {
  it('R74 reject-new refuses the newcomer, which is not sent', async () => {
    const started = start({ concurrency: 1, maxQueue: 2 })
    const { f, server, clock, events } = started
    const calls = callAll(started, paths(5))
    await tick()
    expect(statesOf(calls)).toEqual(['pending', 'pending', 'pending', 'rejected', 'rejected'])
    expect(calls[3]!.error).toMatchObject({ name: 'RateLimitError', code: 'queue-full' })
    expect(f.snapshot(A)).toMatchObject({ queued: 2, inFlight: 1 })
    await clock.advanceAsync(30)
    expect(statusesOf(calls)).toEqual([200, 200, 200, undefined, undefined])
    expect(server.paths()).toEqual(['/1', '/2', '/3'])
    expect(events.filter(({ type }) => type === 'drop')).toEqual([
      { type: 'drop', key: A, at: 0, call: 4, reason: 'queue-full' },
      { type: 'drop', key: A, at: 0, call: 5, reason: 'queue-full' },
    ])
  })

  it.each(['reject-new', 'drop-oldest'] as const)(
    'R74 no call waits with maxQueue 0 (%s)',
    async (overflow) => {
      const started = start({ concurrency: 1, maxQueue: 0, overflow })
      const { server, clock } = started
      const calls = callAll(started, paths(2))
      await clock.advanceAsync(10)
      expect(statesOf(calls)).toEqual(['resolved', 'rejected'])
      calls.push(...callAll(started, ['/3']))
      await clock.advanceAsync(10)
      expect(server.paths()).toEqual(['/1', '/3'])
    },
  )

  it('R74 the error says when there may be room', async () => {
    const started = start({ ratePerSecond: 1, maxQueue: 0 })
    const { clock } = started
    const calls = callAll(started, ['/1'])
    await clock.advanceAsync(400)
    calls.push(...callAll(started, ['/2']))
    await tick()
    expect(calls[1]!.error).toMatchObject({ code: 'queue-full', retryAfterMs: 600 })
  })

  it('R74 a maxQueue that is lowered below what waits refuses newcomers, and drops nobody', async () => {
    const started = start({ concurrency: 1 })
    const { f, server, clock } = started
    const calls = callAll(started, paths(6))
    f.configure({ maxQueue: 2 })
    expect(f.snapshot(A)?.queued).toBe(5)
    const refused = callAll(started, ['/7'])
    await clock.advanceAsync(30)
    // Two wait now: full.
    refused.push(...callAll(started, ['/8']))
    await clock.advanceAsync(10)
    expect(statesOf(refused)).toEqual(['rejected', 'rejected'])
    calls.push(...callAll(started, ['/9']))
    await clock.advanceAsync(50)
    expect(statusesOf(calls)).toEqual(Array(7).fill(200))
    expect(server.paths()).toEqual([...paths(6), '/9'])
  })

  it('R75 a call that was accepted is not refused when it comes back from an attempt', async () => {
    const started = start({ concurrency: 1, maxQueue: 1, random: () => 0.5 }, [500, tooMany(1)])
    const { f, server, clock } = started
    const calls = callAll(started, paths(2))
    await clock.advanceAsync(10)
    callAll(started, ['/3'])
    expect(f.snapshot(A)).toMatchObject({ queued: 1, sleeping: 1, inFlight: 1 })
    await clock.advanceAsync(5000)
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(server.paths()).toEqual(['/1', '/2', '/1', '/2', '/3'])
  })
})

describe('R74 R78 the queue', () => {
  it.each([
    ['reject-new', [5]],
    ['drop-oldest', [2]],
    ['drop-lowest', [3]],
  ] as const)('R74 %s drops call %o of those', async (overflow, dropped) => {
    const started = start({ concurrency: 1, maxQueue: 3, overflow, policies: [priorities()] })
    const calls = callWith(started, [['/1'], ['/2'], ['/3', 'low'], ['/4', 'low'], ['/5', 'high']])
    await tick()
    expect(statesOf(calls).flatMap((state, index) => (state === 'rejected' ? [index + 1] : []))).toEqual(
      dropped,
    )
    for (const index of dropped) expect(calls[index - 1]!.error).toMatchObject({ code: 'queue-full' })
    await started.clock.advanceAsync(100)
    expect(started.server.requests).toHaveLength(4)
  })

  it('R74 drop-lowest drops the newcomer itself if it is lowest', async () => {
    const started = start({ concurrency: 1, maxQueue: 2, overflow: 'drop-lowest', policies: [priorities()] })
    const calls = callWith(started, [['/1'], ['/2'], ['/3', 'high'], ['/4', 'low']])
    await tick()
    expect(statesOf(calls)).toEqual(['pending', 'pending', 'pending', 'rejected'])
    await started.clock.advanceAsync(100)
  })

  it('R74 drop-lowest drops the oldest of the lowest, where all are alike', async () => {
    const started = start({ concurrency: 1, maxQueue: 2, overflow: 'drop-lowest' })
    const calls = callWith(started, [['/1'], ['/2'], ['/3'], ['/4']])
    await tick()
    expect(statesOf(calls)).toEqual(['pending', 'rejected', 'pending', 'pending'])
    await started.clock.advanceAsync(100)
  })

  it('R78 takes in and lets go of 10,000 calls in any order, each at the cost of a few comparisons', async () => {
    const started = start({ concurrency: 1, maxQueue: Infinity, policies: [priorities()] }, () => ({
      status: 200,
      latencyMs: 0,
    }))
    const { f, clock, server } = started
    const rank = ['high', 'auto', 'low'] as const
    const calls = Array.from({ length: 10_000 }, (_, index) =>
      f(`${A}/${index}`, { priority: rank[index % 3]! }),
    )
    await clock.advanceAsync(1)
    expect(
      statusesOf(
        await Promise.all(calls.map(async (call) => ({ state: 'resolved' as const, response: await call }))),
      ),
    ).toHaveLength(10_000)
    const sent = server.paths().map((path) => Number(path.slice(1)))
    expect(sent.slice(1)).toEqual(sent.slice(1).sort((a, b) => (a % 3) - (b % 3) || a - b))
  })

  it('R78 an abort of 10,000 queued calls leaves none, and lets go the next', async () => {
    const started = start({ concurrency: 1, maxQueue: Infinity })
    const { f, clock, server } = started
    const controllers = paths(10_000).map(() => new AbortController())
    const first = f(`${A}/first`)
    const calls = controllers.map(({ signal }, index) => watch(f(`${A}/${index}`, { signal }), clock))
    const last = f(`${A}/last`)
    for (const controller of controllers) controller.abort()
    expect(f.snapshot(A)!.queued).toBe(1)
    await clock.advanceAsync(20)
    await Promise.all([first, last])
    expect(new Set(statesOf(calls))).toEqual(new Set(['rejected']))
    expect(server.paths()).toEqual(['/first', '/last'])
  })
})
