import { queueTimeout } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { callAll, paths, play, start, statusesOf } from '../fixtures/start.ts'

const HOUR = 3_600_000

// The gate is closed for 30 s at 10 ms; then the wall clock drifts.
it.each<[why: string, drifts: number[], opensAfter: number]>([
  ['passes by the wall clock, though the monotonic clock stood still', [HOUR], 0],
  ['passes by the monotonic clock, though the wall was set back', [-HOUR], 30_000],
  ['is not shortened by a small lead of the wall clock', [999], 30_000],
  ['is shortened by a sleep of a second', [1000], 29_000],
  ['is shortened by a sleep', [1001], 28_999],
  ['is shortened by drifts that add up to a sleep', [600, 600], 28_800],
  ['is shortened by a sleep after the wall was set back by a second', [-1000, 1000], 29_000],
  ['is shortened by a sleep after the wall was set back', [-60_000, 1000], 29_000],
])('a deadline %s', async (_, drifts, ms) => {
  const { f, clock } = start({}, [tooMany(30)])
  const [, call] = await play({ f, clock }, 'POST/0 +10 /1')
  for (const drift of drifts) {
    clock.setWall(clock.wall() + drift)
    for (let look = 0; look < 3; look++) f.configure({}) // Makes it read the clock.
    await clock.advanceAsync(0)
  }
  await clock.advanceAsync(40_000)
  expect(call!.at).toBe(20 + ms)
})

describe('timers', () => {
  it('are never longer than 2^31 − 1 ms', async () => {
    const delays: number[] = []
    const { f, clock } = start(
      {
        maxWaitMs: Infinity,
        maxGateMs: Infinity,
        totalTimeoutMs: 2 ** 40,
        attemptTimeoutMs: 2 ** 40,
        policies: [queueTimeout(2 ** 40)],
        backoff: () => 2 ** 33,
        ratePerSecond: 1e-7,
      },
      [tooMany(5_000_000), 500],
      ({ after }) => ({ after: (ms, callback) => (delays.push(ms), after(ms, callback)) }),
    )
    const calls = callAll({ f, clock }, paths(2))
    await clock.advanceAsync(2 ** 37)
    expect(statusesOf(calls)).toEqual([200, 200])
    expect(Math.max(...delays)).toBeLessThanOrEqual(2 ** 31 - 1)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0)
  })

  it('that fire early repeatedly send nothing early', async () => {
    const { f, clock, server } = start({}, [tooMany(1)], ({ after }) => ({
      after: (ms, callback) => after(ms > 0.4 ? ms - 0.3 : ms, callback),
    }))
    const calls = await play({ f, clock }, '/ +5000')
    expect([server.early, statusesOf(calls)]).toEqual([[], [200]])
  })

  it('that a test fakes with the wall clock alone send on time', async () => {
    let reading = 0
    const { f, clock, server } = start({}, [{ ...tooMany(2), latencyMs: 0 }], ({ after }) => ({
      now: () => (reading += 0.01),
      after: (ms, callback) => after(Math.ceil(ms), callback),
    }))
    await play({ f, clock }, '/ +2000')
    expect(server.at()).toEqual([0, 2000])
  })
})
