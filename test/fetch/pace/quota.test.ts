import { describe, expect, it } from 'vitest'
import { A, callAll, paths, start } from '../fixtures/start.ts'
import { says, limited, afterwards } from '../fixtures/limited-answers.ts'

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
})

describe('R28 R31 costs and units', () => {
  const policy = (qu: string): Record<string, string> => ({ 'ratelimit-policy': `"a";q=9;w=60;qu="${qu}"` })

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

  it('a cost changes nothing', async () => {
    const options = { ratePerSecond: 1, burst: 10 }
    const { clock, sent } = await afterwards(limited('"a";r=100;t=60;c=5'), 3, options)
    expect(sent()).toEqual([10, 10, 10])
    await clock.advanceAsync(10)
  })
})
