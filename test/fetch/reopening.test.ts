import { createRateLimitedFetch, type RateLimitedFetchOptions } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { createFakeServer, networkError, tooMany, type Answer } from './fake-server.ts'
import { A, callAll, paths, start, statusesOf, watch } from './start.ts'

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

  it('nothing goes out while the probe is in flight, for 10 s; then the next call is the probe', async () => {
    const started = start({}, [tooMany(1), 200, { status: 200, latencyMs: 30_000 }])
    const { f, server, clock, events } = started
    const [first] = callAll(started, paths(2))
    f.configure({ ratePerSecond: 1000 })
    await clock.advanceAsync(10_000)
    const calls = callAll(started, ['/3', '/4', '/5'])
    expect(f.snapshot(A)).toMatchObject({ queued: 3, inFlight: 1, window: 1 })
    await clock.advanceAsync(1009)
    expect(server.requests).toHaveLength(3)
    await clock.advanceAsync(100)
    expect(server.at()).toEqual([0, 0, 1010, 11_010, 11_020, 11_020])
    expect(statusesOf(calls)).toEqual([200, 200, 200])
    expect(events.filter(({ type }) => type === 'gate-probe')).toMatchObject([{ call: 1 }, { call: 3 }])
    // It goes on by itself.
    await clock.advanceAsync(20_000)
    expect(first).toMatchObject({ at: 31_010, response: { status: 200 } })
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

  it('R62 a gate that a late answer closes once more opens with one probe again', async () => {
    const late: Answer = { status: 429, headers: { 'retry-after': '2' }, latencyMs: 5000 }
    const started = start({}, [tooMany(1), late])
    const { f, server, clock } = started
    callAll(started, ['/1', '/2'], post)
    await clock.advanceAsync(2000)
    callAll(started, ['/3'])
    await clock.advanceAsync(3000)
    expect(f.snapshot(A)?.gate).toMatchObject({ open: false, until: 7000 })
    callAll(started, ['/4', '/5', '/6'])
    await clock.advanceAsync(2000)
    expect(server.at()).toEqual([0, 0, 2000, 7000])
    await clock.advanceAsync(20)
    expect(server.at()).toEqual([0, 0, 2000, 7000, 7010, 7010])
  })

  it('R62 a gate that a late answer closes while the probe is in flight opens with one probe again', async () => {
    const late: Answer = { status: 429, headers: { 'retry-after': '10' }, latencyMs: 1100 }
    const started = start({}, [tooMany(1), late, { status: 200, latencyMs: 500 }])
    const { f, server, clock } = started
    callAll(started, ['/1', '/2'])
    await clock.advanceAsync(2000)
    callAll(started, ['/3', '/4'])
    expect(f.snapshot(A)).toMatchObject({ queued: 3, inFlight: 0, gate: { until: 11_100 } })
    await clock.advanceAsync(10_000)
    expect(server.at()).toEqual([0, 0, 1010, 11_100, 11_110, 11_110])
    expect(server.paths().slice(3)).toEqual(['/2', '/3', '/4'])
  })

  it('R63 a throttle on the way closes the gate again, and the ramp starts over', async () => {
    const started = start({}, (_, index) => (index === 0 || index === 3 ? tooMany(1) : 200))
    const { server, clock, events } = started
    const calls = callAll(started, ['/0'])
    await clock.advanceAsync(10)
    calls.push(...callAll(started, paths(6)))
    await clock.advanceAsync(5000)
    // Sent at 1020 with one that passed: that one says nothing about the epoch after.
    expect(server.at()).toEqual([0, 1010, 1020, 1020, 1030, 2030, 2040, 2040, 2050])
    expect(server.paths()).toEqual(['/0', '/0', '/1', '/2', '/3', '/2', '/4', '/5', '/6'])
    expect(statusesOf(calls)).toEqual(Array<number>(7).fill(200))
    expect(events.filter(({ type }) => type === 'gate-closed')).toHaveLength(2)
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

  it('R63 the window ends at the concurrency, if there is one', async () => {
    const started = start({ concurrency: 3 }, [tooMany(1)])
    const { f, server, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    callAll(started, paths(12))
    const windows: [number, number][] = []
    for (const ms of [1000, 10, 10, 10]) {
      await clock.advanceAsync(ms)
      windows.push([f.snapshot(A)!.window, f.snapshot(A)!.inFlight])
    }
    expect(windows).toEqual([
      [1, 1],
      [2, 2],
      [Infinity, 3],
      [Infinity, 3],
    ])
    await clock.advanceAsync(100)
    expect(server.peak).toBe(3)
  })

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
  it('hands its role to the next request at once when its caller aborts it', async () => {
    const started = start({}, [tooMany(1)])
    const { f, server, clock } = started
    const controller = new AbortController()
    const probe = watch(f(`${A}/0`, { signal: controller.signal }), clock)
    await clock.advanceAsync(10)
    callAll(started, paths(3))
    await clock.advanceAsync(1005)
    controller.abort()
    await clock.advanceAsync(0)
    expect(probe).toMatchObject({ state: 'rejected', at: 1015 })
    await clock.advanceAsync(30)
    expect(server.at()).toEqual([0, 1010, 1015, 1025, 1025])
    expect(server.paths()).toEqual(['/0', '/0', '/1', '/2', '/3'])
  })

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

  it('R64 does not leave the gate stuck, however many are lost', async () => {
    const started = start({ maxRetries: 0 }, (_, index) =>
      index === 0 ? tooMany(1) : index < 6 ? networkError() : 200,
    )
    const { server, clock } = started
    const calls = callAll(started, paths(8), post)
    expect(server.requests).toHaveLength(8)
    await clock.advanceAsync(10)
    callAll(started, paths(3))
    await clock.advanceAsync(10_000)
    expect(server.requests).toHaveLength(11)
    expect(calls.filter(({ state }) => state === 'pending')).toEqual([])
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
  it('R66 is that of arrival: a repeated call keeps its place', async () => {
    const started = start({ concurrency: 3 }, [
      { status: 200, latencyMs: 50 },
      tooMany(1),
      { status: 429, headers: { 'retry-after': '1' }, latencyMs: 20 },
    ])
    const { server, clock } = started
    callAll(started, paths(6))
    await clock.advanceAsync(3000)
    expect(server.paths().slice(3)).toEqual(['/2', '/3', '/4', '/5', '/6'])
  })

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

  it('R87 a failed call that has slept is queued at its old place, under every limit', async () => {
    const started = start({ concurrency: 1, random: () => 0.5 }, [500, { status: 200, latencyMs: 1000 }])
    const { server, clock } = started
    callAll(started, paths(4))
    await clock.advanceAsync(2000)
    expect(server.paths()).toEqual(['/1', '/2', '/1', '/3', '/4'])
    expect(server.at()).toEqual([0, 10, 1010, 1020, 1030])
    expect(server.peak).toBe(1)
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
