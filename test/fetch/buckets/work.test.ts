import { composeRateLimitedFetch, type Policy } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { originsOf, tooMany } from '../fixtures/fake-server.ts'
import { A, paths, play, start, statusesOf } from '../fixtures/start.ts'

describe('bounded work', () => {
  function createCounter() {
    const counts = { snapshot: 0, before: 0 }
    const shown = {}
    const policy: Policy = () => ({
      snapshot: () => (counts.snapshot++, shown),
      before: () => void counts.before++,
    })
    return { counts, policy }
  }

  it('a new key examines eight buckets, however many are pending', () => {
    const clock = createManualClock()
    const { now } = clock
    let reads = 0
    clock.now = () => (reads++, now())
    const f = composeRateLimitedFetch({ clock, fetch: () => new Promise(() => undefined) })
    const costs = originsOf(20_000).map((origin) => {
      const before = reads
      void f(origin)
      return reads - before
    })
    // A look at a bucket reads the clock.
    expect([costs[1000]! - costs[0]!, costs.at(-1)! - costs[0]!]).toEqual([8, 8])
    expect(f.snapshot().inFlight).toBe(20_000)
  })

  it('an unread snapshot costs nothing; twenty readers cost as much as one', async () => {
    const cost = async (readers: number, buckets: number): Promise<number> => {
      const { counts, policy } = createCounter()
      const { f, clock } = start({ policies: [policy], pace: 'fixed' })
      const warm = originsOf(buckets).map((origin) => f(origin))
      await clock.advanceAsync(10)
      await Promise.all(warm)
      for (let reader = 0; reader < readers; reader++) f.subscribe(() => f.snapshot())
      f.snapshot()
      counts.snapshot = 0
      for (const path of paths(10)) {
        const call = f(originsOf(1)[0]! + path)
        await clock.advanceAsync(10)
        await call
      }
      return counts.snapshot
    }
    const one = await cost(1, 1)
    expect(one).toBeGreaterThan(0)
    expect([await cost(0, 1), await cost(20, 1)]).toEqual([0, one])
    expect([await cost(1, 256), await cost(20, 256)]).toEqual([one, one])
  })

  it('closed gates cost a reader nothing, and a new one of many readers does not look at them', async () => {
    const costs: number[][] = []
    for (const closed of [0, 256]) {
      let reads = 0
      const { f, clock } = start({}, ({ url }) => (url.startsWith(A) ? 200 : tooMany(60)))
      const { now } = clock
      clock.now = () => (reads++, now())
      for (const origin of [A, ...originsOf(closed)]) f(origin, { method: 'POST' }).catch(() => undefined)
      await clock.advanceAsync(10)
      const stops = paths(20).map(() => f.subscribe(() => f.snapshot()))
      f.snapshot()
      const cost = async (act: () => unknown): Promise<number> => {
        const before = reads
        await act()
        return reads - before
      }
      const call = async (): Promise<unknown> => Promise.all([f(A), clock.advanceAsync(10)])
      costs.push([await cost(() => f.subscribe(() => undefined)()), await cost(call)])
      for (const stop of stops) stop()
    }
    const [without, among] = costs
    expect(among![0]).toBe(without![0])
    // Each of the 20 readers reads the clock at each of the two changes, however many gates are closed.
    expect(among![1]! - without![1]!).toBeLessThanOrEqual(20 * 2)
  })

  it('a response compares a few queued calls, not all', async () => {
    const { counts, policy } = createCounter()
    const started = start({ policies: [policy], concurrency: 4, maxQueue: Infinity }, [tooMany(1)])
    const calls = await play(started, '*4000 +100000')
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
    expect(counts.before).toBeLessThan(4000 * 3 * Math.log2(4000))
  })
})
