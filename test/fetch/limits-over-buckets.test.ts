import { describe, expect, it } from 'vitest'
import { tooMany } from './fake-server.ts'
import { A, B, callAll, paths, start, watch } from './start.ts'

describe('R59 the number of buckets', () => {
  it('R59 R142 10,000 origins stay within maxBuckets, and those beyond share one', async () => {
    const { f, server, clock } = start({ maxBuckets: 256 })
    for (let round = 0; round < 100; round++) {
      const calls = Array.from({ length: 100 }, (_, index) => f(`https://o${round * 100 + index}.test/`))
      await clock.advanceAsync(1000)
      await Promise.all(calls)
      expect(Object.keys(f.snapshot().buckets).length).toBeLessThanOrEqual(256)
    }
    expect(server.requests).toHaveLength(10_000)
  })

  it('R59 limits are enforced jointly in the bucket that is shared', async () => {
    const { f, server, clock } = start({ maxBuckets: 1, concurrency: 1 })
    f.pause('https://kept.test')
    const calls = ['a', 'b', 'c'].map((name) => f(`https://${name}.test/`))
    await clock.advanceAsync(25)
    expect(server.at()).toEqual([0, 10, 20])
    await clock.advanceAsync(10)
    await Promise.all(calls)
    f.resume()
  })
})

describe('R71 maxInFlight', () => {
  it('R71 is over all buckets together, and who has waited longest goes first', async () => {
    const { f, server, clock } = start({ maxInFlight: 2 })
    const calls = [`${A}/1`, `${B}/2`, `${B}/3`, `${A}/4`, `${A}/5`, `${B}/6`].map((url) => f(url))
    expect(server.inFlight).toBe(2)
    await clock.advanceAsync(40)
    await Promise.all(calls)
    expect(server.peak).toBe(2)
    expect(server.paths()).toEqual(paths(6))
  })

  it('R49 R71 a throttle closes the gate before the place that it frees is taken', async () => {
    const started = start({ maxInFlight: 1 }, [tooMany(1)])
    const { server, clock } = started
    callAll(started, paths(3))
    await clock.advanceAsync(5000)
    expect(server.early).toEqual([])
    expect(server.paths()).toEqual(['/1', '/1', '/2', '/3'])
  })

  it('R71 R49 the place goes to another bucket while a gate is closed', async () => {
    const started = start({ maxInFlight: 1 }, [tooMany(1)])
    const { f, server, clock } = started
    const calls = [f(`${A}/1`), f(`${A}/2`), f(`${B}/3`)]
    await clock.advanceAsync(5000)
    await Promise.all(calls)
    expect(server.paths()).toEqual(['/1', '/3', '/1', '/2'])
    expect(server.at()).toEqual([0, 10, 1010, 1020])
  })

  it('R71 a bucket whose call sleeps has no turn until that wakes', async () => {
    const { f, server, clock } = start({ maxInFlight: 1, random: () => 0.5 }, [500])
    const calls = [`${A}/1`, `${B}/2`, `${B}/3`].map((url) => watch(f(url), clock))
    await clock.advanceAsync(1000)
    expect(calls.map(({ response }) => response?.status)).toEqual([200, 200, 200])
    expect(server.paths()).toEqual(['/1', '/2', '/3', '/1'])
    expect(server.at()).toEqual([0, 10, 20, 260])
  })

  it('R71 an abort, a network error and a configure free the place too', async () => {
    const controller = new AbortController()
    const { f, server, clock } = start({ maxInFlight: 1, maxRetries: 0 }, [
      { status: 200, latencyMs: 1000 },
      new TypeError('fetch failed'),
    ])
    const calls = [
      watch(f(`${A}/1`, { signal: controller.signal }), clock),
      ...[`${B}/2`, `${A}/3`, `${B}/4`].map((url) => watch(f(url), clock)),
    ]
    controller.abort()
    await clock.advanceAsync(10)
    expect(server.paths()).toEqual(['/1', '/2', '/3'])
    f.configure({ maxInFlight: undefined })
    expect(server.paths()).toEqual(paths(4))
    await clock.advanceAsync(10)
    expect(calls.map(({ state }) => state)).toEqual(['rejected', 'rejected', 'resolved', 'resolved'])
  })
})
