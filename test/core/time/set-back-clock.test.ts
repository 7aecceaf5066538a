import { createWaitingLimiter, fixedWindow, gcra, slidingWindowLog, tokenBucket, type Rule } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createAlarm } from '../../../src/core/time/alarm.ts'
import { createAdjustableClock } from './adjustable-clock.ts'
import { settled, track } from '../shared/promises.ts'

const rules: [name: string, make: () => Rule][] = [
  ['token bucket', () => tokenBucket({ ratePerSecond: 10, burst: 4 })],
  ['gcra', () => gcra({ ratePerSecond: 10, burst: 4 })],
  ['sliding window log', () => slidingWindowLog({ limit: 4, windowMs: 400 })],
  ['fixed window', () => fixedWindow({ limit: 4, windowMs: 400 })],
]

it('an alarm that was pushed back is not due when its first timer comes and the clock was set back', () => {
  const clock = createAdjustableClock(1e6)
  const from = clock.now()
  let elapsedMs = 0
  const dueAfter: number[] = []
  const alarm = createAlarm(clock, () => dueAfter.push(elapsedMs))
  alarm.set(from + 100)
  alarm.set(from + 300)
  clock.adjust(-1e5)
  for (; elapsedMs < 500; elapsedMs += 10) clock.advance(10)
  expect(dueAfter).toEqual([290])
})

describe.each(rules)('%s', (_, make) => {
  it('keeps the instant of what is booked after the clock was set back, also when others come to wait', async () => {
    const clock = createAdjustableClock(1e6)
    const limiter = createWaitingLimiter(make(), { clock })
    limiter.allow(4)
    clock.adjust(-1e5)
    const reservation = limiter.reserve(4)
    const promisedMs = reservation.delay()
    expect(promisedMs).toBeGreaterThan(0)
    const wait = track(limiter.wait())
    expect(reservation.delay()).toBe(promisedMs)
    clock.advance(2000)
    await settled()
    expect(wait.state).toBe('resolved')
  })
})

it.each(rules.slice(0, 2))(
  '%s gives who waits one turn and no burst, when it was asked since the clock was set back',
  async (_, make) => {
    const clock = createAdjustableClock(1e6)
    const limiter = createWaitingLimiter(make(), { clock })
    limiter.allow(4)
    const waits = Array.from({ length: 6 }, () => track(limiter.wait()))
    clock.adjust(-1e5)
    clock.advance(70)
    expect(limiter.allow()).toBe(false)
    clock.advance(40)
    await settled()
    expect(waits.filter(({ state }) => state === 'resolved')).toHaveLength(1)
    clock.advance(1000)
    await settled()
    expect(waits.filter(({ state }) => state === 'resolved')).toHaveLength(6)
  },
)
