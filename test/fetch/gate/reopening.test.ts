import { createRateLimitedFetch, type RateLimitedFetchOptions } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { createFakeServer, networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statusesOf } from '../fixtures/start.ts'

const post: RequestInit = { method: 'POST' }

describe('R62 and R63 the ramp', () => {
  it('R63 one 429 and 20 more calls during the pause: none is sent before its end, then 1, 2, 4, 8 in flight', async () => {
    const started = start({}, [tooMany(1)])
    const { server, clock, events } = started
    const calls = callAll(started, ['/0'])
    for (const path of paths(20)) {
      await clock.advanceAsync(30)
      calls.push(...callAll(started, [path]))
    }
    await clock.advanceAsync(409)
    expect(clock.now()).toBe(1009)
    expect(server.requests).toHaveLength(1)

    await clock.advanceAsync(10)
    expect(server.at()).toEqual([0, 1010])
    await clock.advanceAsync(1000)
    expect(statusesOf(calls)).toEqual(Array<number>(21).fill(200))
    expect(server.requests).toHaveLength(22)
    expect(server.paths()).toEqual(['/0', '/0', ...paths(20)])
    const instants = [
      0,
      1010,
      ...Array<number>(2).fill(1020),
      ...Array<number>(4).fill(1030),
      ...Array<number>(8).fill(1040),
    ]
    expect(server.at()).toEqual([...instants, ...Array<number>(6).fill(1050)])
    expect(server.early).toEqual([])
    expect(events.filter(({ type }) => type === 'gate-probe')).toHaveLength(1)
  })

  it('silent requests give up their places in the window too, one after the other', async () => {
    const silent: Answer = { status: 200, latencyMs: 100_000 }
    const started = start({}, [tooMany(1), 200, silent, silent, 200])
    callAll(started, ['/0'])
    await started.clock.advanceAsync(10)
    callAll(started, paths(6))
    await started.clock.advanceAsync(11_009)
    // Two of the window of 2 are silent since 1020, and no third is sent beside them before 11,020.
    expect(started.server.at()).toEqual([0, 1010, 1020, 1020])
    await started.clock.advanceAsync(100)
    expect(started.server.at().slice(4, 6)).toEqual([11_020, 11_020])
    expect(started.server.requests).toHaveLength(8)
    await started.clock.advanceAsync(200_000)
  })

  it('R62 a gate whose time has passed unnoticed still opens with one probe', async () => {
    const started = start({}, [tooMany(1)])
    const { server, clock } = started
    callAll(started, ['/1'], post)
    await clock.advanceAsync(5000)
    callAll(started, ['/2', '/3', '/4'])
    expect(server.at()).toEqual([0, 5000])
    await clock.advanceAsync(20)
    expect(server.at()).toEqual([0, 5000, 5010, 5010])
  })

  it.each([
    [Infinity, [1, 2, 4, 8, 16, 32, 64, Infinity]],
    [4, [1, 2, Infinity]],
  ])(
    'R63 the window doubles until it is as wide as is needed, with a concurrency of %s',
    async (concurrency, widths) => {
      const started = start({ concurrency, maxQueue: Infinity }, [tooMany(1)])
      callAll(started, ['/0'])
      await started.clock.advanceAsync(10)
      callAll(started, paths(400))
      await started.clock.advanceAsync(1000)
      const windows = new Set<number>()
      for (let step = 0; step < 12; step++) {
        windows.add(started.f.snapshot(A)!.window)
        await started.clock.advanceAsync(10)
      }
      expect([...windows]).toEqual(widths)
      await started.clock.advanceAsync(10_000)
    },
  )

  it('R63 the window ends when nobody waits', async () => {
    const started = start({}, [tooMany(1)])
    const { f, server, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(1010)
    expect(f.snapshot(A)?.window).toBe(1)
    await clock.advanceAsync(10)
    expect(f.snapshot(A)?.window).toBe(Infinity)
    callAll(started, paths(50))
    expect(server.inFlight).toBe(50)
    await clock.advanceAsync(10)
  })
})

describe('R64 a probe that is lost', () => {
  it('R64 hands its role to the next request after the own backoff, when the network fails', async () => {
    const started = start({}, [tooMany(1), networkError()])
    const { server, clock } = started
    const calls = callAll(started, ['/0'])
    await clock.advanceAsync(10)
    calls.push(...callAll(started, paths(2)))
    await clock.advanceAsync(3000)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
    expect(server.at()).toEqual([0, 1010, 2020, 2030, 2030])
    expect(server.paths()).toEqual(['/0', '/0', '/0', '/1', '/2'])
  })

  it('R64 lets a request of the window of 2 be lost without closing the gate', async () => {
    const started = start({ maxRetries: 0 }, [200, tooMany(1), 200, networkError()])
    const { server, clock } = started
    callAll(started, ['/first'])
    await clock.advanceAsync(10)
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    callAll(started, paths(4))
    await clock.advanceAsync(1000)
    expect(server.at()).toEqual([0, 10, 1020])
    await clock.advanceAsync(30)
    expect(server.at()).toEqual([0, 10, 1020, 1030, 1030, 1040])
  })
})

describe('R66 the order', () => {
  it('R66 is that of arrival though a timer is late: who comes then does not overtake', async () => {
    const clock = createManualClock()
    const server = createFakeServer(clock)
    const f = createRateLimitedFetch({
      fetch: server.fetch,
      ratePerSecond: 1,
      clock: { ...clock, after: (ms, callback) => clock.after(ms + 5, callback) },
    })
    const calls = [f(`${A}/1`), f(`${A}/2`)]
    await clock.advanceAsync(1002)
    calls.push(f(`${A}/3`))
    await clock.advanceAsync(0)
    expect(server.paths()).toEqual(['/1', '/2'])
    expect(server.at()).toEqual([0, 1002])
    await clock.advanceAsync(2000)
    await Promise.all(calls)
    expect(server.paths()).toEqual(['/1', '/2', '/3'])
    expect(clock.pending).toBe(0)
  })

  it('R87 a repeat takes a token as any request does', async () => {
    const started = start({ ratePerSecond: 1, burst: 1 }, [500])
    const { server, clock } = started
    callAll(started, paths(2))
    await clock.advanceAsync(2010)
    expect(server.at()).toEqual([0, 1000, 2000])
    expect(server.paths()).toEqual(['/1', '/1', '/2'])
  })
})

describe('the first window', () => {
  /** How many of 40 calls are sent at once after `rounds` of `calls` each. */
  async function widthAfter(
    rounds: number,
    calls: number,
    options: RateLimitedFetchOptions = {},
  ): Promise<number> {
    const started = start(options)
    for (let round = 0; round < rounds; round++) {
      callAll(started, paths(calls))
      await started.clock.advanceAsync(100)
    }
    callAll(started, paths(40))
    const { inFlight } = started.server
    await started.clock.advanceAsync(1000)
    return inFlight
  }

  it.each([
    ['is 8 wide before anything was sent', 0, 0, 8],
    ['stays as it is where few calls come at a time', 50, 1, 8],
    ['stays as it is where it was full only now and then', 7, 8, 8],
    ['widens where it was full as often as it is wide', 8, 8, 16],
    ['widens when more wait than it lets go', 1, 16, 16],
  ])('%s', async (_, rounds, calls, width) => {
    expect(await widthAfter(rounds, calls)).toBe(width)
  })

  it('there is none where nothing is to be learnt, or a limit is given', async () => {
    expect(await widthAfter(0, 0, { pace: 'fixed' })).toBe(40)
    expect(await widthAfter(0, 0, { concurrency: 30 })).toBe(30)
  })
})
