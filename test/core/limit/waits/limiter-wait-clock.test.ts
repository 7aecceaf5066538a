import { createWaitingLimiter, tokenBucket } from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createAdjustableClock, createTestClock, recordTimers } from '../../time/clocks.ts'
import { everyRule } from '../rules/every-rule.ts'
import { settled, track } from '../../shared/promises.ts'

const hour = 3_600_000

it('waits longer than the longest platform timer by several timers', async () => {
  const manual = createTestClock()
  const { clock, delays } = recordTimers(manual)
  const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 2 ** -22, burst: 1 }), { clock })
  limiter.allow()
  const waiting = track(limiter.wait())
  await manual.advanceAsync(2 ** 22 * 1000 - 1)
  expect(waiting.state).toBe('pending')
  await manual.advanceAsync(1)
  expect(waiting.state).toBe('resolved')
  expect(delays).toEqual([2e9, 2e9, 2 ** 22 * 1000 - 4e9])
})

describe.each(everyRule)('%s', (name, make) => {
  it.each([
    ['back', -hour],
    ['back by less than a wait', -70],
    ['forward', hour],
  ])('resolves waits in turn without extra delay when the clock is set %s', async (_, byMs) => {
    const clock = createAdjustableClock(2 * hour)
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    let elapsedMs = 0
    const wentAfter: number[] = []
    for (let i = 0; i < 5; i++) void limiter.wait().then(() => wentAfter.push(elapsedMs))
    for (; elapsedMs < 1000; elapsedMs += 10) {
      if (elapsedMs === 150) clock.adjust(byMs)
      clock.advance(10)
      await settled()
    }
    // The wait that is pending when the clock is set may lose its elapsed time.
    expect(wentAfter).toHaveLength(5)
    for (const [index, ms] of wentAfter.entries()) expect(ms).toBeLessThanOrEqual((index + 2) * 100)
    // Or gain, with a forward jump, or with fixed windows, which follow the clock.
    if (byMs > 0 || name === 'fixedWindow') wentAfter.splice(1, 1)
    for (let i = 1; i < wentAfter.length; i++)
      expect(wentAfter[i]! - wentAfter[i - 1]!).toBeGreaterThanOrEqual(90)
  })

  it('refuses others for 1 ms while the timer of a wait is late', async () => {
    const clock = createAdjustableClock(0)
    const limiter = createWaitingLimiter(make(10, 2), { clock })
    limiter.allow(2)
    const waiting = limiter.wait()
    clock.adjust(hour)
    const refusal = { allowed: false, retryAfterMs: 1, remaining: 0 }
    expect([limiter.decide(), limiter.peek()]).toEqual([refusal, refusal])
    clock.advance(1000)
    await waiting
  })

  it('continues from the new reading after a refused wait, and after the last, if the clock was set back', async () => {
    const clock = createAdjustableClock(2 * hour)
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    clock.adjust(-hour)
    await expect(limiter.wait(1, { timeoutMs: 0 })).rejects.toThrow('wait-too-long')
    clock.advance(200)
    await limiter.wait(1, { timeoutMs: 0 })
    const waiting = track(limiter.wait())
    clock.adjust(-hour / 2)
    const untilMs = name === 'slidingWindowCounter' ? 300 : 200
    for (let elapsedMs = 0; elapsedMs < untilMs; elapsedMs += 10) {
      clock.advance(10)
      await settled()
    }
    expect(waiting.state).toBe('resolved')
    expect(limiter.allow()).toBe(true)
  })

  it('resolves waits in order if timers are faked and the clock is not', async () => {
    // Just after a window begins.
    let now = 5000
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.001))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const limiter = createWaitingLimiter(make(10, 1))
    limiter.allow()
    const order: number[] = []
    for (let i = 0; i < 4; i++) void limiter.wait().then(() => order.push(i))
    const afterEach: number[] = []
    for (let step = 0; step < 5; step++) {
      await vi.advanceTimersByTimeAsync(101)
      afterEach.push(order.length)
    }
    expect(order).toEqual([0, 1, 2, 3])
    expect(afterEach).toEqual([1, 2, 3, 4, 4])
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('a cancellation as the first call after the clock was set back sets reservations back, too', () => {
  const clock = createAdjustableClock(1e9)
  const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 4 }), { clock })
  limiter.allow(4)
  const booked = limiter.reserve(2)
  void limiter.wait(2)
  const queued = limiter.reserve(1)
  clock.adjust(-1e8)
  booked.cancel()
  expect(queued.delay()).toBeLessThanOrEqual(5000)
  clock.advance(10_000)
})
