import { describe, expect, it } from 'vitest'
import type { Answer } from './fake-server.ts'
import { A, callAll, paths, start } from './start.ts'
import { says, limited, afterwards } from './limited-answers.ts'

describe('R29 the window of RateLimit', () => {
  it('R29 none left closes the gate for the window, counted from the receipt', async () => {
    const { clock, sent, f, events } = await afterwards(limited('"a";r=0;t=5'), 2)
    expect(events.filter(({ type }) => type === 'gate-closed')).toMatchObject([
      { ms: 5000, source: 'ratelimit' },
    ])
    expect(f.snapshot(A)!.gate).toMatchObject({ open: false, until: 5010, source: 'ratelimit' })
    await clock.advanceAsync(6000)
    expect(sent()).toEqual([5010, 5020])
  })

  it('R29 a server that says nothing of limits has no policies and leaves no quota', async () => {
    const { f, sent } = await afterwards(says({}), 0)
    expect(f.snapshot(A)).toMatchObject({ policies: [], quota: [] })
    expect(sent()).toEqual([])
  })

  it('R29 k left is a cap of k until the window has passed', async () => {
    const { clock, sent, f } = await afterwards(limited('"a";r=3;t=5'), 5)
    expect(f.snapshot(A)).toMatchObject({
      gate: { open: true },
      quota: [{ name: 'a', available: 0, until: 5010 }],
    })
    await clock.advanceAsync(6000)
    expect(sent()).toEqual([10, 10, 10, 5010, 5010])
    expect(f.snapshot(A)!.quota).toEqual([])
  })

  it.each([
    [5, 2],
    [3, 0],
    [2, 0],
  ])('R29 what is in flight counts: of %i left, %i are', async (available, left) => {
    const started = start({ pace: 'fixed' }, (_, index) =>
      index === 3 ? limited(`"a";r=${available};t=5`) : { status: 200, latencyMs: 1000 },
    )
    const { server, clock } = started
    callAll(started, paths(4))
    await clock.advanceAsync(10)
    callAll(started, paths(4))
    expect(server.requests).toHaveLength(4 + left)
    await clock.advanceAsync(8000)
    expect(server.requests).toHaveLength(8)
  })

  it('R29 what is left without a window has no effect in time', async () => {
    for (const ratelimit of ['"a";r=0', '"a";r=1']) {
      const { clock, sent } = await afterwards(limited(ratelimit), 3)
      await clock.advanceAsync(10)
      expect(sent()).toEqual([10, 10, 10])
    }
  })

  it('R30 of several the longest window with none left is waited for; the least that is left is the cap', async () => {
    const closed = await afterwards(limited('"a";r=0;t=2, "b";r=0;t=4, "c";r=9;t=60'), 1)
    await closed.clock.advanceAsync(5000)
    expect(closed.sent()).toEqual([4010])
    const capped = await afterwards(limited('"a";r=4;t=2, "b";r=2;t=4, "c";r=9;t=60'), 5)
    await capped.clock.advanceAsync(5000)
    expect(capped.sent()).toEqual([10, 10, 4010, 4010, 4010])
  })

  it('R30 caps of different windows hold each for its own time', async () => {
    const { clock, sent } = await afterwards(limited('"a";r=1;t=2, "b";r=3;t=4'), 6)
    await clock.advanceAsync(5000)
    expect(sent()).toEqual([10, 2010, 2010, 4010, 4010, 4010])
  })
})

describe('R28 R31 costs and units', () => {
  const policy = (qu: string): Record<string, string> => ({ 'ratelimit-policy': `"a";q=9;w=60;qu="${qu}"` })

  it.each(['requests', 'request'])('R31 %s are counted', async (unit) => {
    const { clock, sent } = await afterwards(says({ ratelimit: '"a";r=1;t=5', ...policy(unit) }), 2)
    await clock.advanceAsync(6000)
    expect(sent()).toEqual([10, 5010])
  })

  it.each(['content-bytes', 'bananas'])('R31 of %s only none left has an effect', async (unit) => {
    const some = await afterwards(says({ ratelimit: '"a";r=1;t=5', ...policy(unit) }), 3)
    await some.clock.advanceAsync(10)
    expect(some.sent()).toEqual([10, 10, 10])
    const none = await afterwards(says({ ratelimit: '"a";r=0;t=5', ...policy(unit) }), 1)
    await none.clock.advanceAsync(6000)
    expect(none.sent()).toEqual([5010])
  })

  it('R31 of concurrent-requests, the concurrency is what is left and our own in flight', async () => {
    const started = start({ pace: 'fixed' }, (_, index) =>
      index === 2
        ? says({ ratelimit: '"a";r=1', ...policy('concurrent-requests') })
        : { status: 200, latencyMs: 1000 },
    )
    const { server, clock } = started
    callAll(started, paths(3))
    await clock.advanceAsync(10)
    callAll(started, paths(5))
    expect(server.inFlight).toBe(3)
    await clock.advanceAsync(5000)
    expect(server.requests).toHaveLength(8)
  })

  it('R33 R31 an older answer does not raise the concurrency', async () => {
    const concurrency = (r: number, latencyMs: number): Answer =>
      says({ ratelimit: `"a";r=${r}`, ...policy('concurrent-requests') }, { latencyMs })
    const started = start({ pace: 'fixed' }, [concurrency(9, 100), concurrency(1, 10)])
    const { server, clock } = started
    callAll(started, paths(2))
    await clock.advanceAsync(100)
    callAll(started, paths(8))
    expect(server.inFlight).toBeLessThanOrEqual(2)
    await clock.advanceAsync(1000)
  })

  it('R28 other parameters change nothing', async () => {
    const { clock, sent } = await afterwards(limited('"a";r=1;t=5;foo=7;bar'), 2)
    await clock.advanceAsync(6000)
    expect(sent()).toEqual([10, 5010])
  })

  it('a cost changes nothing', async () => {
    const options = { ratePerSecond: 1, burst: 10 }
    const { clock, sent } = await afterwards(limited('"a";r=100;t=60;c=5'), 3, options)
    expect(sent()).toEqual([10, 10, 10])
    await clock.advanceAsync(10)
  })
})
