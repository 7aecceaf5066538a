import { composeRateLimitedFetch, type Policy } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { callAll, paths, start, statusesOf } from '../fixtures/start.ts'

const originsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `https://o${index}.test`)

describe('work that does not grow', () => {
  /** Counts how often each member is called. */
  function createCounter() {
    const counts = { isIdle: 0, readyAt: 0, snapshot: 0, before: 0 }
    const shown = {}
    const policy: Policy = () => ({
      isIdle: () => (counts.isIdle++, true),
      readyAt: (now) => (counts.readyAt++, now),
      snapshot: () => (counts.snapshot++, shown),
      before() {
        counts.before++
        return undefined
      },
    })
    return { counts, policy }
  }

  it('a new key looks at a few buckets, however many hang', () => {
    const clock = createManualClock()
    const { counts, policy } = createCounter()
    const f = composeRateLimitedFetch({
      clock,
      policies: [policy],
      fetch: () => new Promise(() => undefined),
    })
    const added: number[] = []
    for (const part of [0, 1, 2, 3]) {
      const before = counts.readyAt + counts.isIdle + counts.snapshot
      for (let index = 0; index < 5000; index++) void f(`https://o${part * 5000 + index}.test`)
      added.push(counts.readyAt + counts.isIdle + counts.snapshot - before)
    }
    expect(f.snapshot().inFlight).toBe(20_000)
    // Each of 5000 calls costs the last of them as much as the first.
    expect(added[3]).toBeLessThanOrEqual(added[0]! + 5000 * 8)
    expect(added[3]).toBe(added[2])
  })

  it('nobody who reads the snapshot costs nothing; twenty readers cost as much as one', async () => {
    const costs: number[] = []
    for (const [readers, buckets] of [
      [0, 1],
      [1, 1],
      [20, 1],
      [1, 256],
      [20, 256],
    ] as const) {
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
      costs.push(counts.snapshot)
    }
    const [none, one, twenty, oneOfMany, twentyOfMany] = costs
    expect(none).toBe(0)
    expect(one).toBeGreaterThan(0)
    expect([twenty, oneOfMany, twentyOfMany]).toEqual([one, one, one])
  })

  it('an answer compares a few of those that wait, not all of them', async () => {
    const { counts, policy } = createCounter()
    const started = start({ policies: [policy], concurrency: 4, maxQueue: Infinity }, [tooMany(1)])
    const calls = callAll(started, paths(4000))
    await started.clock.advanceAsync(100_000)
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
    expect(counts.before).toBeLessThan(4000 * 3 * Math.log2(4000))
  })
})
