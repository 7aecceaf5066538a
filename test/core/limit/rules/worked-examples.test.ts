import {
  createWaitingLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type Rule,
} from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../../time/clocks.ts'
import { settled, track } from '../../shared/promises.ts'

const times = (count: number, act: () => boolean): number =>
  Array.from({ length: count }, () => act()).filter(Boolean).length

describe('the worked examples', () => {
  it('token bucket of 10 a second and 20: 10 + 20 + 5 + 5 = 40 in two seconds, as many as may be', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 20 }), { clock })
    expect(times(10, limiter.allow)).toBe(10)
    expect(limiter.remaining()).toBe(10)
    await clock.advanceAsync(1000)
    expect(limiter.remaining()).toBe(20)
    const requests = Array.from({ length: 30 }, () => track(limiter.wait()))
    const admitted = async (): Promise<number> => {
      await settled()
      return requests.filter(({ state }) => state === 'resolved').length
    }
    expect(await admitted()).toBe(20)
    await clock.advanceAsync(500)
    expect(await admitted()).toBe(25)
    await clock.advanceAsync(500)
    expect(await admitted()).toBe(30)
  })
})

// 100 requests in the first second, 100 within 0.1 s from 2 s on, 200 in the fourth second.
const spread = (count: number, fromMs: number, gapMs: number): number[] =>
  Array.from({ length: count }, (_, i) => fromMs + i * gapMs)
const workload = [spread(100, 0, 10), spread(100, 2000, 1), spread(200, 3000, 5)]

const second = { limit: 100, windowMs: 1000 }

it.each<[name: string, rule: Rule, passed: number[]]>([
  // 9.9 tokens are left after the burst, not 0, so that the bucket is full again at 3 s, and
  // 100 tokens and 0.5 for each request last for all but the last one.
  ['tokenBucket', tokenBucket({ ratePerSecond: 100, burst: 100 }), [100, 100, 199]],
  ['gcra', gcra({ ratePerSecond: 100, burst: 100 }), [100, 100, 199]],
  ['leakyBucket', leakyBucket({ ratePerSecond: 100, capacity: 100 }), [100, 100, 199]],
  // 100 pass in 3 to 3.5 s; 200 in 0.2 s need a burst at the end of a window.
  ['fixedWindow', fixedWindow(second), [100, 100, 100]],
  // At 3 s the burst begins to fall out, faster than requests come, until
  // 100 have passed at 3.5 s.
  ['slidingWindowLog', slidingWindowLog(second), [100, 100, 100]],
  // The window before 2 s is empty, not the first second, and
  // the burst passes. Every other request passes in the fourth second.
  ['slidingWindowCounter', slidingWindowCounter(second), [100, 100, 100]],
])('of the workload, %s admits', (_, rule, passed) => {
  const limiter = createWaitingLimiter(rule, { clock: createTestClock() })
  expect(workload.map((instants) => instants.filter((at) => limiter.allow(1, at)).length)).toEqual(passed)
})
