import { describe, expect, it } from 'vitest'
import { tooMany } from './fake-server.ts'
import { A, B, paths, start, watch } from './start.ts'

const post: RequestInit = { method: 'POST' }

describe('R56 and R59 the buckets', () => {
  it('R56 the default key is the origin', async () => {
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

  it('R56 a key of the user makes the buckets, from the request', async () => {
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

  it('R56 what passes by takes the members of init along that a Request does not carry', async () => {
    const { f, server, clock } = start({ key: () => null })
    const call = f(`${A}/`, { next: { revalidate: 1 } } as RequestInit)
    await clock.advanceAsync(10)
    await call
    expect(server.requests[0]!.init).toEqual({ next: { revalidate: 1 } })
  })

  it('R56 a key of null passes by every limit', async () => {
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

  it('R59 as many as maxBuckets are kept; then those at rest make room, the oldest first', async () => {
    const { f, clock } = start({ maxBuckets: 3, key: ({ url }) => new URL(url).pathname })
    const call = async (path: string): Promise<void> => {
      const response = f(A + path)
      await clock.advanceAsync(10)
      await response
    }
    for (const path of paths(3)) await call(path)
    expect(Object.keys(f.snapshot().buckets)).toEqual(['/1', '/2', '/3'])
    await clock.advanceAsync(59_970)
    // The last of them has not been idle for a minute.
    await call('/3')
    await call('/4')
    expect(Object.keys(f.snapshot().buckets)).toEqual(['/2', '/3', '/4'])
  })

  it('R59 a bucket whose pace is not full again is not thrown away', async () => {
    const { f, server, clock } = start({ maxBuckets: 1, ratePerSecond: 1 })
    const calls = [f(`${A}/`)]
    await clock.advanceAsync(500)
    calls.push(f(`${B}/`), f(`${A}/`))
    await clock.advanceAsync(2000)
    await Promise.all(calls)
    expect(server.at()).toEqual([0, 500, 1000])
  })

  it('R59 a bucket whose pause is over makes room for another, though nobody has called since', async () => {
    const { f, clock } = start({ maxBuckets: 1 }, [tooMany(1)])
    const refused = f(`${A}/`, post)
    await clock.advanceAsync(120_000)
    expect((await refused).status).toBe(429)
    const other = f(`${B}/`)
    expect(Object.keys(f.snapshot().buckets)).toEqual([B])
    await clock.advanceAsync(10)
    await other
  })

  it('R59 a bucket that is closed, waited for or in flight is not thrown away', async () => {
    const { f, clock } = start({ maxBuckets: 1 }, [tooMany(30)])
    const refused = f(`${A}/`, post)
    await clock.advanceAsync(10)
    await refused
    const calls = [f(`${B}/`), f(`${A}/`)]
    expect(Object.keys(f.snapshot().buckets)).toEqual([A])
    // The other has found no room, and shares with whoever finds none.
    expect(f.snapshot(B)).toMatchObject({ inFlight: 1, gate: { open: true } })
    await clock.advanceAsync(40_000)
    await Promise.all(calls)
  })

  it('R59 nothing is thrown away as long as there is room', async () => {
    const started = start()
    for (const url of [A, B]) {
      const call = started.f(url)
      await started.clock.advanceAsync(120_000)
      await call
    }
    expect(Object.keys(started.f.snapshot().buckets)).toEqual([A, B])
  })

  it('R59 who has been idle for longest makes room, not who came first', async () => {
    const { f, clock } = start({ maxBuckets: 2, key: ({ url }) => new URL(url).pathname })
    for (const path of ['/1', '/2', '/1', '/3']) {
      const call = f(A + path)
      await clock.advanceAsync(120_000)
      await call
    }
    expect(Object.keys(f.snapshot().buckets)).toEqual(['/1', '/3'])
  })

  it('R59 a minute of idleness counts from the end of the last call; who finds no room is told of as *', async () => {
    const { f, clock, events } = start({ maxBuckets: 1 })
    const call = async (url: string): Promise<void> => {
      const response = f(url)
      await clock.advanceAsync(10)
      await response
    }
    await call(A)
    await clock.advanceAsync(100_000)
    await call(A)
    await clock.advanceAsync(59_980)
    await call(B)
    expect(Object.keys(f.snapshot().buckets)).toEqual([A])
    expect(events.at(-1)!.key).toBe('*')
    await clock.advanceAsync(10)
    await call(B)
    expect(Object.keys(f.snapshot().buckets)).toEqual([B])
  })

  it('R59 a bucket is kept until its gate opens, however long nobody has called', async () => {
    const { f, clock } = start({ maxBuckets: 1 }, [tooMany(100)])
    const refused = f(A, post)
    await clock.advanceAsync(10)
    await refused
    for (const [waitMs, kept] of [
      [99_999, A],
      [1, B],
    ] as const) {
      await clock.advanceAsync(waitMs)
      watch(f(B), clock)
      expect(Object.keys(f.snapshot().buckets)).toEqual([kept])
    }
    await clock.advanceAsync(1000)
  })

  it('R59 R71 a bucket is kept as long as a response holds a place in it', async () => {
    let free!: () => void
    const holdSlot = (): Promise<void> => new Promise((resolve) => (free = resolve))
    const { f, clock } = start({ maxBuckets: 1, holdSlot })
    const call = async (url: string): Promise<void> => {
      const response = f(url)
      await clock.advanceAsync(120_000)
      await response
    }
    await call(A)
    const freeFirst = free
    await call(B)
    expect(Object.keys(f.snapshot().buckets)).toEqual([A])
    freeFirst()
    await clock.advanceAsync(0)
    await call('https://c.test')
    expect(Object.keys(f.snapshot().buckets)).toEqual(['https://c.test'])
  })
})
