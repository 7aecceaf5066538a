import { createWaitingLimiter, fixedWindow, tokenBucket, type DeniedEvent } from 'lull/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTestClock } from '../time/clocks.ts'
import { everyRule } from './every-rule.ts'
import { settled, track } from '../shared/promises.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe.each(everyRule)('%s', (_, make) => {
  it('shows its rate, its burst, its level and what became of those who asked', () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    expect(limiter.snapshot()).toMatchObject({
      ratePerSecond: 10,
      burst: 4,
      level: 4,
      allowed: 0,
      denied: 0,
      waiting: 0,
      isBypassed: false,
    })
    limiter.allow(3)
    limiter.decide(1)
    limiter.allow(1)
    limiter.decide(2)
    limiter.reserve(5)
    limiter.reserve(4)
    limiter.peek(4)
    expect(limiter.snapshot()).toMatchObject({ allowed: 3, denied: 3 })
    limiter.bypass(true)
    limiter.allow(100)
    expect(limiter.snapshot()).toMatchObject({ allowed: 4, denied: 3, isBypassed: true })
  })

  it('shows the same object until something changed, but a level that is read anew', () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(4)
    const shown = limiter.snapshot()
    expect(Object.isFrozen(shown)).toBe(true)
    limiter.peek()
    limiter.remaining()
    expect(limiter.snapshot()).toBe(shown)
    expect(shown.level).toBe(0)
    clock.advance(10_000)
    expect(limiter.snapshot()).toBe(shown)
    expect(shown.level).toBe(4)
    limiter.allow()
    expect(limiter.snapshot()).not.toBe(shown)
  })

  it('tells whoever subscribed of each change, and nobody else', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 2), { clock })
    const shown: unknown[] = []
    const unsubscribe = limiter.subscribe(() => {
      const { allowed, denied, waiting, isBypassed } = limiter.snapshot()
      const last = [allowed, denied, waiting, isBypassed].join()
      if (last !== shown.at(-1)) shown.push(last)
    })
    limiter.allow(2)
    limiter.allow()
    const waiting = track(limiter.wait())
    await clock.advanceAsync(1000)
    expect(waiting.state).toBe('resolved')
    limiter.bypass(true)
    expect(shown).toEqual(['1,0,0,false', '1,1,0,false', '1,1,1,false', '2,1,0,false', '2,1,0,true'])
    unsubscribe()
    limiter.allow()
    expect(shown).toHaveLength(5)
  })

  it('tells of each refusal, at the instant at which it was asked, and of no peek', async () => {
    const clock = createTestClock(700)
    const events: DeniedEvent[] = []
    const limiter = createWaitingLimiter(make(10, 2), { clock, onEvent: (event) => events.push(event) })
    limiter.allow(2)
    limiter.peek()
    expect(events).toEqual([])
    limiter.allow(1)
    limiter.decide(2, 720)
    limiter.reserve(3)
    track(limiter.wait(3))
    const controller = new AbortController()
    track(limiter.wait(1, { signal: controller.signal }))
    controller.abort()
    await settled()
    expect(events).toEqual([
      { type: 'denied', cost: 1, at: 700 },
      { type: 'denied', cost: 2, at: 720 },
      { type: 'denied', cost: 3, at: 700 },
      { type: 'denied', cost: 3, at: 700 },
    ])
  })

  it('has methods that can be taken off it', async () => {
    const { allow, decide, peek, reserve, wait, remaining, snapshot } = createWaitingLimiter(make(10, 9), {
      clock: createTestClock(),
    })
    await wait()
    expect([allow(), decide().allowed, peek().allowed, reserve().ok]).toEqual([true, true, true, true])
    expect([remaining(), snapshot().allowed]).toEqual([5, 4])
  })
})

it('goes by the clock of the platform without one of its own, also where timers are faked later', async () => {
  const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 1 }))
  vi.useFakeTimers({ now: Date.now() })
  vi.setSystemTime(Date.now() + 1000)
  limiter.allow()
  const waiting = track(limiter.wait())
  await vi.advanceTimersByTimeAsync(5000)
  expect(waiting.state).toBe('resolved')
  expect(vi.getTimerCount()).toBe(0)
})

it('is of use where a listener asks it again while it is told', async () => {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(fixedWindow({ limit: 2, windowMs: 100 }), { clock })
  let asked = 0
  limiter.subscribe(() => {
    if (asked++ < 5) limiter.allow()
  })
  limiter.allow()
  const waits = [1, 1, 1].map(() => track(limiter.wait()))
  await clock.advanceAsync(1000)
  expect(waits.map(({ state }) => state)).toEqual(Array(3).fill('resolved'))
  expect(limiter.snapshot()).toMatchObject({ waiting: 0, allowed: 5 })
})
