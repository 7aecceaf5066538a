import { type Call, priorities } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, endOf, play, run, start } from '../fixtures/start.ts'

describe('a full queue', () => {
  it.each([
    ['reject-new', 2, '/1 /2 /3 /4', '200@10 200@20 200@30 queue-full@0'],
    ['drop-oldest', 2, '/1 /2 /3 /4', '200@10 queue-full@0 200@20 200@30'],
    ['drop-lowest', 2, '/1 /2 /3 /4', '200@10 queue-full@0 200@20 200@30'],
    // It has no place to drop a call from.
    [undefined, 0, '/1 /2 10:/3', '200@10 queue-full@0 200@20'],
    ['drop-oldest', 0, '/1 /2 10:/3', '200@10 queue-full@0 200@20'],
  ] as const)('%s, of %i: %s', async (overflow, maxQueue, calls, ends) => {
    const done = await run({ calls, options: { concurrency: 1, overflow, maxQueue } })
    expect(done.ends).toBe(ends)
    expect(done.events.filter(({ type }) => type === 'drop')).toMatchObject([{ at: 0, reason: 'queue-full' }])
  })

  it.each([
    ['reject-new', [5]],
    ['drop-oldest', [2]],
    ['drop-lowest', [3]],
  ] as const)('by priority: %s drops call %o', async (overflow, dropped) => {
    const started = start({ concurrency: 1, maxQueue: 3, overflow, policies: [priorities()] })
    const calls = await play(started, '/1 /2 /3:low /4:low /5:high +100')
    const isDropped = calls.map((call) => endOf(call) === 'queue-full@0')
    expect([1, 2, 3, 4, 5].filter((call) => isDropped[call - 1])).toEqual(dropped)
    expect(started.server.requests).toHaveLength(4)
  })

  it('has room for callers that send their next call when one ends', async () => {
    const { f, clock } = start({ concurrency: 2, maxQueue: 8 })
    let served = 0
    const work = async (): Promise<void> => {
      for (let call = 0; call < 20; call++) if ((await f(A)).ok) served++
    }
    await Promise.all([...Array.from({ length: 10 }, work), clock.advanceAsync(10_000)])
    expect(served).toBe(200)
  })

  it.each(['drop-oldest', 'drop-lowest'] as const)('%s drops no call before its retry', async (overflow) => {
    // The attempt does not count, as of a call that waits to be online.
    const delay = (call: Call): number => (void Promise.resolve(call).then((held) => held.wake()), Infinity)
    const options = { maxQueue: 2, overflow, policies: [() => ({ delay })] }
    const calls = await play(start(options, [tooMany(3)]), '/1 +100 /2 /3 +10000')
    expect(calls.map((call) => endOf(call).replace(/@.*/, ''))).toEqual(['200', 'queue-full', '200'])
  })

  it('reports when a place may be free', async () => {
    const { outcomes } = await run({ calls: '/1 400:/2', options: { ratePerSecond: 1, maxQueue: 0 } })
    const error = { name: 'RateLimitError', code: 'queue-full', retryAfterMs: 600 }
    expect(outcomes[1]!.error).toMatchObject(error)
  })

  it('does not reject an admitted call that loses its turn, though the queue is full', async () => {
    const { f, clock } = start({ concurrency: 1, maxQueue: 1 })
    const calls = await play({ f, clock }, '*2 +9 pause +1')
    f.resume()
    // The call is awake, but another one goes first.
    calls.push(...callAll({ f, clock }, ['/3'], { rateLimit: false }))
    f.configure({ maxQueue: 0 })
    await clock.advanceAsync(100)
    expect(calls.map(endOf)).toEqual(['200@10', '200@30', '200@20'])
  })
})
