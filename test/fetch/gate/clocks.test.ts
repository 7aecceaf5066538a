import { createRateLimitedFetch, queueTimeout } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { createFakeServer, tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statusesOf, watch } from '../fixtures/start.ts'
import type { Clock } from 'lull/core'
import { createAwakeTime } from '../../../src/core/time/forward-time.ts'

const HOUR = 3_600_000
const post: RequestInit = { method: 'POST' }

describe('R46 R128 two clocks', () => {
  it('R46 a deadline has passed when the wall says so, though the monotonic clock stood still', async () => {
    const started = start({}, [tooMany(30)])
    const { server, clock } = started
    callAll(started, ['/0'], post)
    await clock.advanceAsync(10)
    clock.setWall(clock.wall() + HOUR)
    const calls = callAll(started, paths(3))
    // The probe, and nothing beside it.
    expect(server.at()).toEqual([0, 10])
    await clock.advanceAsync(100)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
  })

  it('R46 R128 and when the monotonic clock says so, though the wall was set back', async () => {
    const started = start({}, [tooMany(30)])
    const { server, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    clock.setWall(clock.wall() - HOUR)
    await clock.advanceAsync(29_999)
    expect(server.at()).toEqual([0])
    await clock.advanceAsync(1)
    expect(server.at()).toEqual([0, 30_010])
    await clock.advanceAsync(10)
  })

  it.each([
    ['forward and back', [HOUR, -HOUR]],
    ['back and forward', [-HOUR, HOUR]],
    ['by less than a second, often', Array<number>(20).fill(900)],
    ['back by less than a second, often', Array<number>(20).fill(-900)],
  ])('R128 a wall that is set %s ends a wait early by one request at most', async (_, steps) => {
    const started = start({}, ({ at }) => (at < 30_010 ? tooMany(30) : 200))
    const { f, server, clock } = started
    callAll(started, ['/0'], post)
    await clock.advanceAsync(10)
    callAll(started, paths(5))
    for (const step of steps) {
      clock.setWall(clock.wall() + step)
      f.configure({}) // Whatever makes it look at the clock.
      await clock.advanceAsync(100)
    }
    expect(server.early.length).toBeLessThanOrEqual(1)
    await clock.advanceAsync(100_000)
    expect(server.early.length).toBeLessThanOrEqual(1)
    expect(server.requests).toHaveLength(server.early.length + 6)
  })

  it('R46 a wall of nonsense stops nothing', async () => {
    const clock = createManualClock()
    const server = createFakeServer(clock, [tooMany(1)])
    let wall = 0
    const f = createRateLimitedFetch({
      fetch: server.fetch,
      random: () => 0,
      clock: { ...clock, wall: () => wall },
    })
    const calls = [watch(f(`${A}/1`), clock), watch(f(`${A}/2`), clock)]
    for (const odd of [NaN, -Infinity, Infinity, 0, NaN, 8.64e15, -8.64e15, 5]) {
      wall = odd
      await clock.advanceAsync(500)
    }
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(clock.pending).toBe(0)
  })

  it('R46 a monotonic clock that steps back delays, and loses nothing', async () => {
    const clock = createManualClock()
    const server = createFakeServer(clock, [tooMany(1), 500])
    let backMs = 0
    const f = createRateLimitedFetch({
      fetch: server.fetch,
      ratePerSecond: 10,
      burst: 1,
      random: () => 0,
      clock: { ...clock, now: () => clock.now() - backMs },
    })
    const calls = paths(5).map((path) => watch(f(A + path), clock))
    for (let step = 0; step < 30; step++) {
      backMs += 50
      await clock.advanceAsync(200)
    }
    expect(statusesOf(calls)).toEqual([200, 200, 200, 200, 200])
    expect(clock.pending).toBe(0)
  })
})

describe('R124 R70 an hour of sleep', () => {
  it('R62 R124 lets a probe through a gate that has opened meanwhile, and no burst', async () => {
    const started = start({}, [tooMany(60)])
    const { f, server, clock } = started
    callAll(started, ['/0'])
    await clock.advanceAsync(10)
    callAll(started, paths(50))
    clock.setWall(clock.wall() + HOUR)
    f.configure({})
    await clock.advanceAsync(0)
    expect(server.inFlight).toBe(1)
    await clock.advanceAsync(10)
    expect(server.inFlight).toBe(2)
    await clock.advanceAsync(10)
    expect(server.inFlight).toBe(4)
    await clock.advanceAsync(1000)
    expect(server.requests).toHaveLength(52)
  })

  it('R70 the learnt pace gives no more than its burst either', async () => {
    let tokens = 10
    let at = 0
    const started = start({ maxRetries: Infinity, maxWaitMs: Infinity }, ({ at: now }) => {
      tokens = Math.min(10, tokens + ((now - at) / 1000) * 20)
      at = now
      if (tokens < 1) return tooMany(1)
      tokens--
      return 200
    })
    const { f, server, clock } = started
    callAll(started, paths(100))
    await clock.advanceAsync(20_000)
    const { burst } = f.snapshot(A)!.pace!
    const before = server.requests.length
    clock.setWall(clock.wall() + HOUR)
    callAll(started, paths(100))
    expect(server.requests.length - before).toBeLessThanOrEqual(Math.ceil(burst))
    await clock.advanceAsync(200_000)
  })
})

describe('R44 R45 timers', () => {
  it('R44 no timer is longer than 2^31 − 1 ms, of whatever kind', async () => {
    const clock = createManualClock()
    const delays: number[] = []
    const server = createFakeServer(clock, [tooMany(5_000_000), 500])
    const f = createRateLimitedFetch({
      fetch: server.fetch,
      random: () => 0,
      maxWaitMs: Infinity,
      maxGateMs: Infinity,
      totalTimeoutMs: 2 ** 40,
      attemptTimeoutMs: 2 ** 40,
      policies: [queueTimeout(2 ** 40)],
      backoff: () => 2 ** 33,
      ratePerSecond: 1e-7,
      clock: {
        ...clock,
        after(ms, callback) {
          delays.push(ms)
          return clock.after(ms, callback)
        },
      },
    })
    const calls = paths(2).map((path) => watch(f(A + path), clock))
    await clock.advanceAsync(2 ** 37)
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(Math.max(...delays)).toBeLessThanOrEqual(2 ** 31 - 1)
    expect(delays.every((ms) => ms >= 0)).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it('R45 a timer that is early, again and again, sends nothing early', async () => {
    const clock = createManualClock()
    const server = createFakeServer(clock, [tooMany(1)])
    const f = createRateLimitedFetch({
      fetch: server.fetch,
      random: () => 0,
      clock: { ...clock, after: (ms, callback) => clock.after(ms > 0.4 ? ms - 0.3 : ms, callback) },
    })
    const call = watch(f(`${A}/`), clock)
    await clock.advanceAsync(5000)
    expect(server.early).toEqual([])
    expect(call.response?.status).toBe(200)
  })

  it('R126 draining by timers is no chain of them: none is set in the fifth of a row', async () => {
    const clock = createManualClock()
    let depth = 0
    let deepest = 0
    const f = createRateLimitedFetch({
      ratePerSecond: 10,
      burst: 1,
      fetch: () => Promise.resolve(new Response()),
      clock: {
        ...clock,
        after(ms, callback) {
          const own = depth + 1
          deepest = Math.max(deepest, own)
          return clock.after(ms, () => {
            depth = own
            callback()
            depth = 0
          })
        },
      },
    })
    const calls = paths(50).map((path) => watch(f(A + path), clock))
    await clock.advanceAsync(10_000)
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
    expect(deepest).toBeLessThanOrEqual(4)
  })
})

function setUp(): {
  clock: Clock & { monotonic: number; ahead: number }
  time: ReturnType<typeof createAwakeTime>
} {
  const clock = {
    monotonic: 400,
    ahead: 1e12,
    now: () => clock.monotonic,
    wall: () => clock.monotonic + clock.ahead,
    after: () => () => undefined,
  }
  const time = createAwakeTime(clock)
  // It compares the clocks from the first reading on.
  time.now()
  return { clock, time }
}

it.each([
  [999, 0],
  [1000, 1000],
  [1001, 1001],
  [-5000, 0],
])('R46 when the wall goes %i ms further than the clock, %i were slept', (drift, slept) => {
  const { clock, time } = setUp()
  clock.ahead += drift
  for (let look = 0; look < 3; look++) expect(time.now()).toBe(400 + slept)
  clock.monotonic += 10
  expect(time.now()).toBe(410 + slept)
  expect(time.toClock(time.now())).toBe(410)
})

it('R46 drifts add up to a sleep', () => {
  const { clock, time } = setUp()
  clock.ahead += 600
  expect(time.now()).toBe(400)
  clock.ahead += 600
  expect(time.now()).toBe(1600)
})

it.each([-1000, -60_000])('R46 after the wall was set back by %i ms a sleep is told from there', (drift) => {
  const { clock, time } = setUp()
  clock.ahead += drift
  expect(time.now()).toBe(400)
  clock.ahead += 1000
  expect(time.now()).toBe(1400)
})

it('reads no clock before it is first asked', () => {
  const { clock } = setUp()
  const time = createAwakeTime({
    ...clock,
    now: () => {
      throw new Error('now')
    },
    wall: () => {
      throw new Error('wall')
    },
  })
  expect(() => time.now()).toThrow()
})

it('R46 what was reached is past, and what is past stays so', () => {
  const { clock, time } = setUp()
  time.reach(300)
  expect(time.now()).toBe(400)
  time.reach(1000)
  expect(time.now()).toBe(1000)
  expect(time.toClock(1500)).toBe(900)
  clock.monotonic += 50
  time.reach(1060)
  expect(time.now()).toBe(1060)
  time.reach(1060)
  expect(time.now()).toBe(1060)
})
