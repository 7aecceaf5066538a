import { priorities } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { A, paths, start, statesOf, statusesOf, tick, watch } from '../fixtures/start.ts'
import { callWith } from '../fixtures/call-with.ts'

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
