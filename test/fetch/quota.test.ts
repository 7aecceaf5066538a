import type { RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import type { Answer } from './fake-server.ts'
import { A, callAll, paths, start, watch, type Started } from './start.ts'

const post: RequestInit = { method: 'POST' }

const says = (headers: Record<string, string>, { status = 200, latencyMs = 10 } = {}): Answer => ({
  status,
  headers,
  latencyMs,
})
const limited = (ratelimit: string, more: { status?: number; latencyMs?: number } = {}): Answer =>
  says({ ratelimit }, more)

/** One call that is answered so, then `count` more at 10 ms; when each of those was sent. */
async function afterwards(
  answer: Answer,
  count: number,
  options: RateLimitedFetchOptions = {},
): Promise<Started & { sent: () => number[] }> {
  const started = start({ pace: 'fixed', maxWaitMs: Infinity, ...options }, [answer])
  callAll(started, ['/0'], post)
  await started.clock.advanceAsync(10)
  callAll(started, paths(count))
  return { ...started, sent: () => started.server.at().slice(1) }
}

describe('R29 the window of RateLimit', () => {
  it('R29 none left closes the gate for the window, counted from the receipt', async () => {
    const { clock, sent, f } = await afterwards(limited('"a";r=0;t=5'), 2)
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

  it('R28 a cost is told in events, and is what the next ones take with adaptiveCost alone', async () => {
    const options = { ratePerSecond: 1, burst: 10 }
    const fixed = await afterwards(limited('"a";r=100;t=60;c=5'), 3, options)
    expect(fixed.events.find(({ type }) => type === 'response')).toMatchObject({
      limits: [{ name: 'a', cost: 5 }],
    })
    expect(fixed.sent()).toEqual([10, 10, 10])
    await fixed.clock.advanceAsync(10)
    const adaptive = await afterwards(limited('"a";r=100;t=60;c=5'), 3, { ...options, adaptiveCost: true })
    await adaptive.clock.advanceAsync(20_000)
    expect(adaptive.sent().slice(0, 2)).toEqual([10, 10])
    expect(adaptive.sent()[2]).toBeGreaterThan(1000)
  })
})

describe('R32 R33 which answers count', () => {
  it('R32 one from a cache does not', async () => {
    const { clock, sent } = await afterwards(says({ ratelimit: '"a";r=0;t=5', age: '1' }), 2)
    await clock.advanceAsync(10)
    expect(sent()).toEqual([10, 10])
  })

  it('R32 one of age 0 does', async () => {
    const { clock, sent } = await afterwards(says({ ratelimit: '"a";r=0;t=5', age: '0' }), 1)
    await clock.advanceAsync(6000)
    expect(sent()).toEqual([5010])
  })

  it.each([
    [200, 5010],
    [204, 5010],
    [404, 5010],
    [500, 5010],
    [304, 10],
  ])('R32 one of status %i lets the next go at %i', async (status, at) => {
    const answer =
      status === 304 || status === 204
        ? new Response(null, { status, headers: { ratelimit: '"a";r=0;t=5' } })
        : limited('"a";r=0;t=5', { status })
    const { clock, sent } = await afterwards(answer, 1)
    await clock.advanceAsync(6000)
    expect(sent()).toEqual([at])
  })

  it('R33 the answer to an older request may lower the cap', async () => {
    const started = start({ pace: 'fixed' }, [
      limited('"a";r=2;t=5', { latencyMs: 20 }),
      limited('"a";r=9;t=5', { latencyMs: 10 }),
    ])
    callAll(started, paths(2))
    await started.clock.advanceAsync(20)
    callAll(started, paths(4))
    expect(started.server.requests).toHaveLength(4)
    await started.clock.advanceAsync(6000)
  })

  it('R33 the answer to an older request does not raise the cap', async () => {
    const started = start({ pace: 'fixed' }, [
      limited('"a";r=9;t=5', { latencyMs: 20 }),
      limited('"a";r=2;t=5', { latencyMs: 10 }),
    ])
    callAll(started, paths(2))
    await started.clock.advanceAsync(20)
    callAll(started, paths(4))
    // Two were left when the older one was still in flight.
    expect(started.server.requests).toHaveLength(2 + 1)
    await started.clock.advanceAsync(6000)
  })

  it('R33 the answer to a newer request raises it', async () => {
    const started = start({ pace: 'fixed' }, [limited('"a";r=1;t=60'), limited('"a";r=9;t=60')])
    callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    callAll(started, paths(6))
    await started.clock.advanceAsync(10)
    expect(started.server.requests).toHaveLength(7)
    await started.clock.advanceAsync(10)
  })
})

describe('R34 R36 refusals and older fields', () => {
  it('R34 Retry-After goes before none left, whichever is longer', async () => {
    const { clock, sent } = await afterwards(
      says({ ratelimit: '"a";r=0;t=30', 'retry-after': '2' }, { status: 429 }),
      1,
    )
    await clock.advanceAsync(60_000)
    expect(sent()).toEqual([2010])
  })

  it('R34 what is left of another limit caps the rate after the wait', async () => {
    const { clock, sent } = await afterwards(
      says({ ratelimit: '"a";r=0;t=30, "b";r=2;t=10', 'retry-after': '2' }, { status: 429 }),
      4,
      { resume: 'all' },
    )
    await clock.advanceAsync(60_000)
    expect(sent()).toEqual([2010, 2010, 10_010, 10_010])
  })

  it('R34 without Retry-After none left is waited for', async () => {
    const { clock, sent } = await afterwards(limited('"a";r=0;t=3, "b";r=0;t=4', { status: 429 }), 1)
    await clock.advanceAsync(60_000)
    expect(sent()).toEqual([4010])
  })

  it.each([
    ['RateLimit-Reset', { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 'ratelimit-legacy'],
    ['X-RateLimit-Reset', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }, 'x-ratelimit'],
  ])('R34 R35 a malformed Retry-After falls through to %s', async (_, headers, source) => {
    const { clock, sent, events } = await afterwards(
      says({ ...headers, 'retry-after': 'abc' }, { status: 429 }),
      1,
    )
    await clock.advanceAsync(60_000)
    expect(sent()).toEqual([30_010])
    expect(events.find(({ type }) => type === 'gate-closed')).toMatchObject({ source })
  })

  it.each([
    ['60 s', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }, {}, 60_010],
    ['61 s', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '61' }, {}, 10],
    [
      '61 s, with a maxPreemptiveMs of 61 s',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '61' },
      { maxPreemptiveMs: 61_000 },
      61_010,
    ],
    ['no time', { 'x-ratelimit-remaining': '0' }, {}, 10],
    ['a malformed time', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, {}, 10],
    ['none left said by RateLimit, 61 s', { ratelimit: '"a";r=0;t=61' }, {}, 61_010],
  ])('R36 none left before a refusal: %s', async (_, headers, options, at) => {
    const { clock, sent } = await afterwards(says(headers), 1, options)
    await clock.advanceAsync(100_000)
    expect(sent()).toEqual([at])
  })

  it('R36 does not bound the wait after a refusal', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '90' }
    const { clock, sent } = await afterwards(says(headers, { status: 429 }), 1)
    await clock.advanceAsync(100_000)
    expect(sent()).toEqual([90_010])
  })

  it('R25 a member that is no String or Token counts for nothing, and a policy is not that of a name in another case', async () => {
    const { clock, sent } = await afterwards(
      says({
        ratelimit: '5;r=0;t=9, (1 2);r=0;t=9, :aGk=:;r=0;t=9, A;r=1;t=4',
        'ratelimit-policy': '"a";q=9;qu="bananas"',
      }),
      2,
    )
    await clock.advanceAsync(10_000)
    expect(sent()).toEqual([10, 4010])
  })

  it('R42 who would wait longer than maxWaitMs for a quota is refused, as at the gate', async () => {
    const started = start({ pace: 'fixed', maxWaitMs: 4000 }, [limited('"a";r=1;t=5')])
    const { f, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    const calls = callAll(started, ['/1', '/2'])
    await clock.advanceAsync(10)
    expect(calls[0]!.response?.status).toBe(200)
    const late = watch(f(`${A}/3`), clock)
    await clock.advanceAsync(4000)
    expect(calls[1]!.error).toMatchObject({ code: 'wait-too-long' })
    expect(late.error).toMatchObject({ code: 'wait-too-long' })
    await clock.advanceAsync(2000)
  })
})
