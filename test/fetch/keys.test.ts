import type { FetchEvent } from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { tooMany, type Answer } from './fake-server.ts'
import { A, B, callAll, paths, start, statusesOf, watch } from './start.ts'

const post: RequestInit = { method: 'POST' }

/** `/a/1` counts in `all` and `a`. */
const key = ({ url }: Request): string[] => ['all', new URL(url).pathname.split('/')[1]!]
const ofAll = (answer: { status: number; headers: Record<string, string> }): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'x-scope': 'all' },
})
const isGlobal = (response: Response): boolean => response.headers.has('x-scope')

describe('R56 a call with several keys', () => {
  it('R56 a throttle closes the last gate, the most specific', async () => {
    const started = start({ key }, [tooMany(5)])
    const { f, server, clock } = started
    callAll(started, ['/a/1'], post)
    await clock.advanceAsync(10)
    expect(f.snapshot('a')!.gate.open).toBe(false)
    expect(f.snapshot('all')!.gate.open).toBe(true)
    callAll(started, ['/a/2', '/b/3'])
    await clock.advanceAsync(6000)
    expect(server.paths()).toEqual(['/a/1', '/b/3', '/a/2'])
    expect(server.at()).toEqual([0, 10, 5010])
  })

  it.each([
    ['carries RateLimit', { ratelimit: '"all";r=0;t=5' }, {}],
    ['is what isGlobal says', { 'retry-after': '5', 'x-scope': 'all' }, { isGlobal }],
  ])('R56 a throttle that %s closes the first', async (_, headers, options) => {
    const started = start({ key, ...options }, [{ status: 429, headers }])
    const { f, server, clock } = started
    callAll(started, ['/a/1'], post)
    await clock.advanceAsync(10)
    expect(f.snapshot('all')!.gate.open).toBe(false)
    callAll(started, ['/a/2', '/b/3'])
    await clock.advanceAsync(4990)
    expect(server.at()).toEqual([0])
    await clock.advanceAsync(1000)
    expect(server.paths()).toEqual(['/a/1', '/a/2', '/b/3'])
  })

  it('R56 all gates must be open, whichever opens last', async () => {
    const started = start({ key, isGlobal }, [tooMany(5), ofAll(tooMany(2)), ofAll(tooMany(9))])
    const { server, clock } = started
    callAll(started, ['/a/1', '/b/2'], post)
    await clock.advanceAsync(10)
    callAll(started, ['/a/3', '/b/4'], post)
    await clock.advanceAsync(20_000)
    expect(server.paths()).toEqual(['/a/1', '/b/2', '/b/4', '/a/3'])
    expect(server.at()).toEqual([0, 0, 2010, 11_020])
  })

  it('R62 R56 while the probe of the common gate is in flight, nothing goes through it', async () => {
    const started = start({ key, isGlobal }, [ofAll(tooMany(2)), { status: 200, latencyMs: 100 }])
    const { server, clock } = started
    callAll(started, ['/a/1'], post)
    await clock.advanceAsync(10)
    callAll(started, ['/a/2', '/b/3', '/c/4', '/d/5', '/e/6'])
    await clock.advanceAsync(3000)
    expect(server.at().slice(1)).toEqual([2010, 2110, 2110, 2120, 2120])
  })

  it('R43 R56 an early probe of the common gate is told', async () => {
    const started = start({ key, isGlobal, maxGateMs: 1000, maxWaitMs: Infinity }, [ofAll(tooMany(60))])
    callAll(started, ['/a/1'])
    await started.clock.advanceAsync(2000)
    expect(started.server.at()).toEqual([0, 1010])
    expect(started.events.filter(({ type }) => type === 'gate-probe')).toMatchObject([
      { key: 'all', at: 1010, early: true },
    ])
  })

  it('R42 R56 who waits in another bucket is refused at once when the common gate closes for long', async () => {
    const started = start({ key, isGlobal, concurrency: 1 }, [
      { status: 200, latencyMs: 500 },
      ofAll(tooMany(100)),
    ])
    const { clock } = started
    const calls = callAll(started, ['/b/1', '/a/2', '/b/3'], post)
    await clock.advanceAsync(10)
    expect(calls[2]).toMatchObject({ state: 'rejected', at: 10, error: { code: 'wait-too-long' } })
    await clock.advanceAsync(1000)
  })

  it.each(['reset', 'resume'] as const)(
    'R60 R56 %s of the common key lets go who waits for it',
    async (how) => {
      const started = start({ key, isGlobal }, [ofAll(tooMany(30))])
      const { f, server, clock } = started
      callAll(started, ['/a/1'], post)
      await clock.advanceAsync(10)
      if (how === 'resume') {
        f.reset('all')
        f.pause('all')
      }
      const calls = callAll(started, ['/a/2', '/b/3'])
      await clock.advanceAsync(100)
      expect(server.requests).toHaveLength(1)
      f[how]('all')
      await clock.advanceAsync(20)
      expect(statusesOf(calls)).toEqual([200, 200])
    },
  )

  it('R60 R56 pausing the common key again and again, while somebody waits for it, comes to an end', async () => {
    const started = start({ key })
    const { f, server, clock } = started
    f.pause('all')
    callAll(started, ['/a/1', '/b/2'])
    f.pause('all')
    f.pause('all')
    expect(server.requests).toHaveLength(0)
    f.resume('all')
    expect(server.requests).toHaveLength(2)
    await clock.advanceAsync(10)
  })

  it('R56 isGlobal is asked of those alone that have several keys', async () => {
    const asked = vi.fn(() => true)
    const started = start({ isGlobal: asked, key: ({ url }) => (url.startsWith(B) ? 'b' : ['all', 'a']) }, [
      tooMany(1),
      tooMany(1),
    ])
    const { f, clock } = started
    callAll(started, ['/'], post)
    watch(f(`${B}/`, post), clock)
    await clock.advanceAsync(10)
    expect(asked).toHaveBeenCalledTimes(1)
    expect(['all', 'a', 'b'].map((name) => f.snapshot(name)!.gate.open)).toEqual([false, true, false])
  })

  it('R56 no keys are as none: the call passes by every limit', async () => {
    const started = start({ key: () => [], concurrency: 1 }, () => 429)
    const calls = callAll(started, paths(2))
    expect(started.server.inFlight).toBe(2)
    await started.clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([429, 429])
    expect(started.f.snapshot().buckets).toEqual({})
  })

  it('R54 R56 a key that is given twice counts once', async () => {
    const started = start({ key: () => ['one', 'one'] }, [tooMany(1)])
    const { server, clock, events } = started
    callAll(started, ['/0'], post)
    await clock.advanceAsync(10)
    callAll(started, paths(7))
    await clock.advanceAsync(2000)
    expect(server.at()).toEqual([0, 1010, 1020, 1020, 1030, 1030, 1030, 1030])
    expect(events.filter(({ type }: FetchEvent) => type === 'gate-closed')).toHaveLength(1)
  })

  it('R54 R56 keys that share the overflow bucket count in it once', async () => {
    const started = start({ maxBuckets: 1, key: ({ url }) => (url.startsWith(B) ? 'b' : ['x', 'y']) })
    const { f, server, clock } = started
    f.pause('b')
    callAll(started, paths(20))
    expect(server.inFlight).toBe(8)
    await clock.advanceAsync(100)
    expect(server.requests).toHaveLength(20)
  })

  it('R59 R56 the bucket that calls have in common is kept while they use it', async () => {
    const { f, server, clock } = start({ key, isGlobal, maxBuckets: 2, random: () => 0 }, ({ url }) =>
      url.endsWith('/closes') ? ofAll(tooMany(5)) : 200,
    )
    const call = async (path: string): Promise<number> => {
      const outcome = watch(f(A + path, post), clock)
      await clock.advanceAsync(10)
      return outcome.response!.status
    }
    await call('/a/1')
    for (let minute = 0; minute < 3; minute++) {
      await clock.advanceAsync(30_000)
      await call('/a/2')
    }
    await clock.advanceAsync(70_000)
    // There is room for one more only if another goes, and that is not the common one, which this call needs.
    expect(await call('/b/closes')).toBe(429)
    const next = watch(f(`${A}/b/next`), clock)
    await clock.advanceAsync(4000)
    expect(server.early).toEqual([])
    await clock.advanceAsync(2000)
    expect(next.response?.status).toBe(200)
  })
})
