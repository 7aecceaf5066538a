import { createWaitingLimiter, fixedWindow, gcra, tokenBucket } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createBusyClock, createTestClock } from '../../time/clocks.ts'
import { bucketRules, everyRule, windowRules } from '../rules/every-rule.ts'
import { settled, track } from '../../shared/promises.ts'

describe.each(everyRule)('%s', (_, make) => {
  it('books after those who wait, and lets who comes then wait behind the booking', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    const log: [what: string, at: number][] = []
    const wait = (what: string): void => void limiter.wait().then(() => log.push([what, clock.now()]))
    wait('first')
    const one = limiter.reserve()
    wait('second')
    wait('third')
    const two = limiter.reserve()
    wait('last')
    expect(clock.pending).toBe(1)
    await clock.advanceAsync(5000)
    const [first, second, third, last] = log.map(([, at]) => at)
    expect(log.map(([what]) => what)).toEqual(['first', 'second', 'third', 'last'])
    const instants = [0, first!, one.at, second!, third!, two.at, last!]
    for (let i = 1; i < instants.length; i++)
      expect(instants[i]! - instants[i - 1]!).toBeGreaterThanOrEqual(99.999)
    expect(limiter.snapshot()).toMatchObject({ allowed: 7, waiting: 0 })
  })

  it('lets those behind a cancelled booking move up', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    const booked = limiter.reserve()
    const waits = [limiter.wait(), limiter.wait()].map(track)
    await clock.advanceAsync(50)
    booked.cancel()
    await clock.advanceAsync(booked.at - 50)
    await settled()
    expect(waits.map(({ state }) => state)).toEqual(['resolved', 'pending'])
    await clock.advanceAsync(1000)
    expect(waits[1]!.state).toBe('resolved')
  })

  it('keeps the instant of a booking when who waits before it gives up', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    const controller = new AbortController()
    const before = track(limiter.wait(1, { signal: controller.signal }))
    const booked = limiter.reserve()
    const { at } = booked
    const behind = track(limiter.wait())
    controller.abort()
    await settled()
    expect([before.state, behind.state, booked.at]).toEqual(['rejected', 'pending', at])
    await clock.advanceAsync(at)
    // It has acted, by now: who is behind it comes a period later.
    await clock.advanceAsync(50)
    expect(behind.state).toBe('pending')
    await clock.advanceAsync(1000)
    expect(behind.state).toBe('resolved')
  })

  it('sends nobody away who waits behind a booking, by a configure that changes nothing', async () => {
    const clock = createTestClock(10_000)
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    const first = track(limiter.wait(1, { timeoutMs: 1000 }))
    limiter.reserve()
    const behind = track(limiter.wait(1, { timeoutMs: 1000 }))
    limiter.configure({})
    await settled()
    expect([first.state, behind.state]).toEqual(['pending', 'pending'])
    await clock.advanceAsync(1000)
    expect([first.state, behind.state]).toEqual(['resolved', 'resolved'])
  })

  it('needs no timer for bookings alone, nor for what is left of the line', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    const controller = new AbortController()
    const waiting = track(limiter.wait(1, { signal: controller.signal }))
    limiter.reserve()
    limiter.reserve()
    expect(clock.pending).toBe(1)
    controller.abort()
    expect(clock.pending).toBe(0)
    await settled()
    expect(waiting.state).toBe('rejected')
  })
})

it.each(bucketRules)(
  '%s gives back all of who gives up, but keeps to what it promised behind',
  async (_, make) => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 10), { clock })
    limiter.allow(10)
    const controller = new AbortController()
    const waiting = track(limiter.wait(5, { signal: controller.signal }))
    // At 500 would be its turn; the booking's is at 800.
    const { at } = limiter.reserve(3)
    expect(at).toBeCloseTo(800, 9)
    expect(limiter.remaining()).toBeCloseTo(-8, 9)
    controller.abort()
    // Who waits has taken nothing yet. The booking keeps its instant, and who comes now comes after it.
    expect(limiter.remaining()).toBeCloseTo(-3, 9)
    expect(limiter.peek().retryAfterMs).toBeCloseTo(800, 9)
    await settled()
    expect(waiting.state).toBe('rejected')
    await clock.advanceAsync(800)
    // Eight have come, and the booking's three were taken.
    expect(limiter.remaining()).toBeCloseTo(5, 9)
  },
)

it.each(windowRules)(
  '%s gives back all of who gives up, but lets nobody before what is booked',
  async (_, make) => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 10), { clock })
    limiter.allow(8)
    const controller = new AbortController()
    const waiting = track(limiter.wait(5, { signal: controller.signal }))
    const { at } = limiter.reserve(3)
    controller.abort()
    await settled()
    expect(waiting.state).toBe('rejected')
    // Two are left, and so one could go; but three were promised to somebody else.
    expect([limiter.allow(), limiter.reserve(1).at >= at]).toEqual([false, true])
    expect(limiter.remaining()).toBeLessThanOrEqual(0)
  },
)

it.each([...bucketRules, ...windowRules.slice(1, 2)])(
  '%s counts on nobody in line to go before now, however late the timer is',
  async (_, make) => {
    const { clock, advance, block } = createBusyClock()
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    limiter.allow()
    const waiting = track(limiter.wait())
    expect(limiter.peek().retryAfterMs).toBeCloseTo(200, 6)
    block(150)
    expect(limiter.peek().retryAfterMs).toBeCloseTo(100, 6)
    expect(limiter.reserve().at).toBeCloseTo(250, 6)
    advance(0)
    await settled()
    expect(waiting.state).toBe('resolved')
  },
)

it.each(windowRules)('%s takes its bookings back with the clock', (_, make) => {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(make(10, 1), { clock })
  limiter.allow(1, 10_000)
  const [first, second] = [limiter.reserve(1, 10_000), limiter.reserve(1, 10_000)]
  const delays = [first, second].map(({ delay }) => delay(10_000))
  // A peek tells what a try would find, but only a try sets the limit back.
  const { retryAfterMs } = limiter.peek(1, 5000)
  expect(retryAfterMs).toBeLessThanOrEqual(350)
  expect([limiter.allow(1, 5000), limiter.peek(1, 5000).retryAfterMs]).toEqual([false, retryAfterMs])
  expect([first, second].map(({ delay }) => delay(5000))).toEqual(
    delays.map((ms) => expect.closeTo(ms, 6) as number),
  )
  expect(limiter.allow(1, 5000 + retryAfterMs)).toBe(true)
})

it.each(windowRules)('%s promises no instant twice while a timer is late', async (_, make) => {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(make(10, 2), { clock })
  limiter.allow(2)
  const waiting = track(limiter.wait())
  // By these instants its turn has come, but its timer could not run.
  const instants = Array.from({ length: 6 }, () => limiter.reserve(1, 450).at)
  for (let i = 2; i < instants.length; i++)
    expect(instants[i]! - instants[i - 2]!).toBeGreaterThanOrEqual(99.999)
  expect(instants[1]).toBeGreaterThan(450)
  await clock.advanceAsync(5000)
  expect(waiting.state).toBe('resolved')
})

it('a level is that after the bookings whose instant has come, though nobody has asked since', () => {
  const limiter = createWaitingLimiter(fixedWindow({ limit: 2, windowMs: 1000 }), {
    clock: createTestClock(),
  })
  limiter.allow(2)
  expect([1, 2, 3].map(() => limiter.reserve().at)).toEqual([1000, 1000, 2000])
  expect([500, 1500, 2500].map((at) => limiter.remaining(at))).toEqual([-3, -1, 1])
})

describe.each([
  ['tokenBucket', tokenBucket],
  ['gcra', gcra],
])('%s', (_, make) => {
  it('gives back of several cancelled bookings only what no later one was promised, as Go does', () => {
    const limiter = createWaitingLimiter(make({ ratePerSecond: 1, burst: 1 }), { clock: createTestClock() })
    limiter.allow()
    const [first, second, third] = [limiter.reserve(), limiter.reserve(), limiter.reserve()]
    const levels = [first, second, third].map(({ cancel }) => (cancel(), limiter.remaining()))
    expect(levels).toEqual([-3, -3, -2])
  })

  it('at an infinite rate is as full as before when a booking was cancelled', () => {
    const limiter = createWaitingLimiter(make({ ratePerSecond: Infinity, burst: 5 }), {
      clock: createTestClock(),
    })
    limiter.reserve(3).cancel()
    expect([limiter.remaining(), limiter.allow(5)]).toEqual([5, true])
  })
})
