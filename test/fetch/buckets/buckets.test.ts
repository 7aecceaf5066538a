import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, B, paths, start, watch, type Started } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }
const C = 'https://c.test'
const keysOf = ({ f }: Started): string[] => Object.keys(f.snapshot().buckets)

/** Calls, and waits for so long. */
async function callFor({ f, clock }: Started, url: string, ms: number): Promise<void> {
  const response = f(url)
  await clock.advanceAsync(ms)
  await response
}

describe('the buckets', () => {
  it('the default key is the origin', async () => {
    const { f, server, clock } = start({ concurrency: 1 })
    const urls = [
      `${A}/1`,
      `${A}:443/2`,
      'http://a.test/',
      'https://a.test:8443/',
      `${B}/`,
      'HTTPS://B.test/x?y#z',
    ]
    const calls = urls.map((url) => f(url))
    const keys = [A, 'http://a.test', 'https://a.test:8443', B]
    expect(Object.keys(f.snapshot().buckets)).toEqual(keys)
    expect(server.requests).toHaveLength(4)
    await clock.advanceAsync(20)
    await Promise.all(calls)
  })

  it('a key of the user makes the buckets, from the request', async () => {
    const { f, server, clock } = start({ key: (request) => request.headers.get('tenant')! }, [tooMany(1)])
    const calls = [f(`${A}/1`, { headers: { tenant: 'one' } })]
    await clock.advanceAsync(10)
    calls.push(f(`${A}/2`, { headers: { tenant: 'two' } }), f(`${B}/3`, { headers: { tenant: 'one' } }))
    expect(server.paths()).toEqual(['/1', '/2'])
    expect(f.snapshot('one')).toMatchObject({ queued: 2, gate: { open: false } })
    expect(f.snapshot('two')).toMatchObject({ inFlight: 1, gate: { open: true } })
    await clock.advanceAsync(2000)
    await Promise.all(calls)
  })

  it('what passes by takes the members of init along that a Request does not carry', async () => {
    const { f, server, clock } = start({ key: () => null })
    const call = f(`${A}/`, { next: { revalidate: 1 } } as RequestInit)
    await clock.advanceAsync(10)
    await call
    expect(server.requests[0]!.init).toEqual({ next: { revalidate: 1 } })
  })

  it('a key of null passes by every limit', async () => {
    const { f, server, clock, events } = start(
      { key: () => null, concurrency: 1, ratePerSecond: 1 },
      () => 429,
    )
    f.pause()
    const calls = [f(`${A}/1`), f(`${A}/2`)]
    expect(server.at()).toEqual([0, 0])
    await clock.advanceAsync(10)
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([429, 429])
    expect(f.snapshot().buckets).toEqual({})
    expect(events).toEqual([])
  })

  it('as many as maxBuckets are kept; then those at rest for a minute make room, the oldest first', async () => {
    const started = start({ maxBuckets: 3 })
    const origins = paths(4).map((path) => `https://${path.slice(1)}.test`)
    for (const origin of origins.slice(0, 3)) await callFor(started, origin, 10)
    expect(keysOf(started)).toEqual(origins.slice(0, 3))
    await started.clock.advanceAsync(59_970)
    // The last of them has not been idle for a minute.
    await callFor(started, origins[2]!, 10)
    await callFor(started, origins[3]!, 10)
    expect(keysOf(started)).toEqual(origins.slice(1))
    expect(started.f.snapshot(origins[0]!)).toBeUndefined()
  })

  it('a minute of idleness counts from the end of the last call', async () => {
    const started = start({ maxBuckets: 1 })
    await callFor(started, A, 100_010)
    await callFor(started, A, 10)
    await started.clock.advanceAsync(59_999)
    await callFor(started, B, 1_000_000)
    expect(keysOf(started)).toEqual([A, B])
    await callFor(started, A, 60_010)
    await callFor(started, C, 10)
    expect(keysOf(started)).toEqual([C])
  })

  it('beyond twice as many, those that are idle make room at once', async () => {
    const started = start({ maxBuckets: 2 })
    const origins = Array.from({ length: 9 }, (_, index) => `https://${index}.test`)
    for (const origin of origins) {
      await callFor(started, origin, 10)
      expect(keysOf(started).length).toBeLessThanOrEqual(4)
    }
    expect(keysOf(started)).toEqual(origins.slice(-4))
  })

  it('a bucket whose tokens are not all back is kept', async () => {
    const { f, server, clock } = start({ maxBuckets: 1, ratePerSecond: 0.0125, burst: 1 })
    const calls = [f(`${A}/`, { rateLimit: { maxWaitMs: Infinity } })]
    await clock.advanceAsync(70_000)
    calls.push(f(`${B}/`), f(`${A}/`, { rateLimit: { maxWaitMs: Infinity } }))
    await clock.advanceAsync(200_000)
    await Promise.all(calls)
    expect(server.at()).toEqual([0, 70_000, 80_000])
  })

  it('a bucket that is closed, waited for, paused or in flight is not forgotten, nor is one delayed by another', async () => {
    const answers = { closed: tooMany(300), silent: { status: 200, latencyMs: 1e6 } }
    const started = start({ maxBuckets: 1, maxWaitMs: Infinity }, ({ url }) =>
      url.includes('closed') ? answers.closed : url.includes('silent') ? answers.silent : 200,
    )
    const { f, clock } = started
    f.pause('https://paused.test')
    const waiting = [f('https://closed.test/', post), f('https://silent.test/')]
    await clock.advanceAsync(10)
    waiting.push(f('https://closed.test/'))
    for (const origin of [A, B, C]) {
      await clock.advanceAsync(70_000)
      const call = watch(f(origin), clock)
      await clock.advanceAsync(10)
      expect(call.response?.status).toBe(200)
    }
    expect(keysOf(started)).toEqual(
      expect.arrayContaining(['https://paused.test', 'https://closed.test', 'https://silent.test', C]),
    )
    await clock.advanceAsync(1e6)
    await Promise.all(waiting)
  })
})
