import { describe, expect, it } from 'vitest'
import type { Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, watch, type Started } from '../fixtures/start.ts'
import type { RateLimitedFetchOptions } from 'lull/fetch'

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

describe('responses in another order than the requests', () => {
  it('what was in flight and was counted before does not count twice', async () => {
    const { f, clock, server } = start({ pace: 'fixed' }, (_, index) =>
      limited(`"a";r=${Math.max(19 - index, 0)};t=60`, { latencyMs: 100 - index }),
    )
    const started = { f, clock }
    callAll(started, paths(10))
    await clock.advanceAsync(100)
    callAll(started, paths(15))
    await clock.advanceAsync(0)
    expect(server.requests).toHaveLength(20)
    f.dispose()
    await clock.advanceAsync(1000)
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

describe('R32 R33 which answers count', () => {
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
