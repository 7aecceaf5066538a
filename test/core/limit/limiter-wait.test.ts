import { createWaitingLimiter, RateLimitError, type WaitingLimiter } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createBusyClock, createTestClock } from '../time/clocks.ts'
import { bucketRules, everyRule, windowRules } from './every-rule.ts'
import { settled, track, type Tracked } from '../shared/promises.ts'

/** Waits for each cost in turn, and notes at what instant each goes. */
function waitEach(limiter: WaitingLimiter, costs: number[]): { wentAt: number[]; waits: Tracked<void>[] } {
  const wentAt: number[] = []
  const waits = costs.map((cost, index) =>
    track(limiter.wait(cost).then(() => void (wentAt[index] = limiter.clock.now()))),
  )
  return { wentAt, waits }
}

it.each(bucketRules)('%s lets those who wait go one each 1 / rate, after its burst', async (_, make) => {
  const clock = createTestClock(500)
  const { wentAt } = waitEach(createWaitingLimiter(make(10, 2), { clock }), [1, 1, 1, 1, 2, 1])
  await clock.advanceAsync(10_000)
  expect(wentAt).toEqual([500, 500, 600, 700, 900, 1000])
})

it.each([
  ['fixedWindow', [500, 500, 600, 600, 800, 1000]],
  ['slidingWindowLog', [500, 500, 700, 700, 900, 1100]],
])('%s lets those who wait go when its windows have room', async (name, instants) => {
  const clock = createTestClock(500)
  const { wentAt } = waitEach(
    createWaitingLimiter(new Map(windowRules).get(name)!(10, 2), { clock }),
    [1, 1, 1, 1, 2, 1],
  )
  await clock.advanceAsync(10_000)
  expect(wentAt).toEqual(instants)
})

it('slidingWindowCounter lets those who wait go when its estimate leaves room', async () => {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(new Map(windowRules).get('slidingWindowCounter')!(10, 2), { clock })
  const { wentAt } = waitEach(limiter, [1, 1, 1, 1, 2])
  await clock.advanceAsync(10_000)
  // 2 · (1 − f) + c has to fall below 2 for another: just after 200, then 300. In the next, 2 · (1 − f) below 1.
  const expected = [0, 0, 200, 300, 500]
  for (const [index, at] of expected.entries()) expect(wentAt[index]).toBeCloseTo(at, 6)
})

describe.each(everyRule)('%s', (_, make) => {
  it('lets nobody overtake: neither a small cost a large one, nor allow those who wait', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(3)
    const { wentAt, waits } = waitEach(limiter, [4, 0.5, 0, 1])
    await settled()
    expect(waits.map(({ state }) => state)).toEqual(Array(4).fill('pending'))
    while (waits[0]!.state === 'pending') {
      expect([limiter.allow(0.5), limiter.allow(0)]).toEqual([false, false])
      const { allowed, retryAfterMs } = limiter.peek(0.5)
      expect([allowed, retryAfterMs > 0]).toEqual([false, true])
      expect(limiter.remaining()).toBeLessThanOrEqual(0)
      await clock.advanceAsync(7)
    }
    await clock.advanceAsync(5000)
    expect(wentAt).toEqual(wentAt.toSorted((a, b) => a - b))
    expect(wentAt).toHaveLength(4)
  })

  it('keeps one platform timer, however many wait, and none when nobody does', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(100, 5), { clock })
    limiter.allow(5)
    limiter.reserve()
    expect(clock.pending).toBe(0)
    const { wentAt } = waitEach(limiter, Array<number>(200).fill(1))
    expect(clock.pending).toBe(1)
    await clock.advanceAsync(500)
    expect(clock.pending).toBe(1)
    await clock.advanceAsync(100_000)
    expect(clock.pending).toBe(0)
    expect(wentAt).toHaveLength(200)
    expect(limiter.snapshot()).toMatchObject({ allowed: 202, waiting: 0 })
  })

  it('lets go at once where nothing has to be waited for, even with no time to wait', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 2), { clock })
    await limiter.wait()
    await limiter.wait(undefined, { timeoutMs: 0, signal: undefined })
    expect([limiter.remaining(), clock.pending]).toEqual([0, 0])
  })

  it('refuses at once a wait that cannot be met, taking nothing; exactly as long as needed suffices', async () => {
    const clock = createTestClock(12_345.678)
    const limiter = createWaitingLimiter(make(9.99, 2), { clock })
    limiter.allow(2)
    const { retryAfterMs } = limiter.peek(2)
    const level = limiter.remaining()
    const hopeless = track(limiter.wait(2, { timeoutMs: retryAfterMs * (1 - 1e-9) }))
    await settled()
    expect(hopeless.error).toBeInstanceOf(RateLimitError)
    expect(hopeless.error).toMatchObject({
      code: 'wait-too-long',
      retryAfterMs,
      message: 'Not waited for: wait-too-long',
    })
    expect([limiter.remaining(), clock.pending]).toEqual([level, 0])
    const waiting = track(limiter.wait(2, { timeoutMs: retryAfterMs }))
    await clock.advanceAsync(retryAfterMs)
    expect(waiting.state).toBe('resolved')
  })

  it('counts the wait for those ahead into what cannot be met', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 2), { clock })
    limiter.allow(2)
    const ahead = track(limiter.wait(2))
    const { retryAfterMs } = limiter.peek(2)
    const waits = [retryAfterMs - 0.001, retryAfterMs].map((timeoutMs) =>
      track(limiter.wait(2, { timeoutMs })),
    )
    await settled()
    expect(waits.map(({ state }) => state)).toEqual(['rejected', 'pending'])
    await clock.advanceAsync(retryAfterMs)
    expect([ahead, ...waits].map(({ state }) => state)).toEqual(['resolved', 'rejected', 'resolved'])
  })

  it('lets nobody overtake, and no more go than its burst, however late its timer is', async () => {
    const { clock, advance, block } = createBusyClock()
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    const { waits } = waitEach(limiter, Array<number>(20).fill(1))
    const went = async (): Promise<number> => {
      await settled()
      return waits.filter(({ state }) => state === 'resolved').length
    }
    // Ten turns have come, but no timer could run: a hidden tab.
    block(1000)
    expect(limiter.allow()).toBe(false)
    const { allowed, retryAfterMs } = limiter.decide()
    expect(allowed).toBe(false)
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(await went()).toBeLessThanOrEqual(1)
    advance(0)
    expect(await went()).toBe(1)
    advance(1000)
    expect(await went()).toBeGreaterThanOrEqual(10)
    expect(await went()).toBeLessThanOrEqual(11)
    advance(5000)
    expect(await went()).toBe(20)
  })
})
