import {
  createLimiter,
  createWaitingLimiter,
  gcra,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type DeniedEvent,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { settled, track } from '../shared/promises.ts'
import { createTestClock } from '../time/clocks.ts'
import { everyRule, ownRules } from './rules/every-rule.ts'

describe.each(everyRule)('%s', (_, make) => {
  it.each([
    ['createLimiter', createLimiter],
    ['createWaitingLimiter', createWaitingLimiter],
  ])('%s shows its rate, burst, level and decisions', (_, create) => {
    const limiter = create(make(10, 4), { clock: createTestClock() })
    const counts = { allowed: 0, denied: 0, isBypassed: false }
    expect(limiter.snapshot()).toMatchObject({ ratePerSecond: 10, burst: 4, level: 4, ...counts })
    limiter.allow(3)
    limiter.decide(1)
    limiter.allow(1)
    limiter.decide(2)
    limiter.peek(4)
    expect(limiter.snapshot()).toMatchObject({ level: 0, allowed: 2, denied: 2 })
    limiter.bypass(true)
    limiter.allow(100)
    expect(limiter.snapshot()).toMatchObject({ allowed: 3, denied: 2, isBypassed: true })
  })

  it('counts reservations', () => {
    const limiter = createWaitingLimiter(make(10, 4), { clock: createTestClock() })
    limiter.reserve(5)
    limiter.reserve(4)
    expect(limiter.snapshot()).toMatchObject({ allowed: 1, denied: 1, waiting: 0 })
  })

  it('calls current listeners for each change', async () => {
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

  it('keeps what a listener takes during configure', () => {
    for (const create of [createLimiter, createWaitingLimiter]) {
      const limiter = create(make(10, 1), { clock: createTestClock() })
      const taken: boolean[] = []
      const unsubscribe = limiter.subscribe(() => {
        unsubscribe()
        taken.push(limiter.allow())
      })
      limiter.configure({})
      expect([taken, limiter.allow()]).toEqual([[true], false])
    }
  })

  it('emits each refusal with the instant of the call, but no peek', async () => {
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
})

it('uses the platform clock by default, also if timers are faked later', async () => {
  const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 1 }))
  vi.useFakeTimers({ now: Date.now() + 1000 })
  limiter.allow()
  const waiting = track(limiter.wait())
  await vi.advanceTimersByTimeAsync(5000)
  expect([waiting.state, vi.getTimerCount()]).toEqual(['resolved', 0])
})

const clock = createManualClock()

it.each([
  ['tokenBucket', tokenBucket],
  ['gcra', gcra],
])('%s keeps its tokens at a rate of 0, and is full at an infinite one', (_, make) => {
  const limiter = createLimiter(make({ ratePerSecond: 10, burst: 10 }), { clock })
  limiter.allow(6, 0)
  limiter.configure({ ratePerSecond: 0 }, 300)
  expect(limiter.snapshot()).toMatchObject({ ratePerSecond: 0, burst: 10 })
  for (const at of [320, 1e9]) expect(limiter.remaining(at)).toBeCloseTo(7, 9)
  limiter.configure({ ratePerSecond: Infinity }, 400)
  expect([limiter.allow(1000, 400), limiter.remaining(400)]).toEqual([true, 10])
  limiter.configure({ ratePerSecond: 1 }, 500)
  expect(limiter.remaining(500)).toBe(10)
})

it('slidingWindowLog does not recall expired entries for a longer window', () => {
  for (const isTried of [false, true]) {
    const limiter = createWaitingLimiter(slidingWindowLog({ limit: 4, windowMs: 1000 }), { clock })
    for (const at of [0, 600]) limiter.allow(2, at)
    if (isTried) limiter.allow(4, 1500)
    limiter.configure({ windowMs: 10_000 }, 1500)
    expect([1500, 10_599, 10_600].map((at) => limiter.remaining(at))).toEqual([2, 2, 4])
  }
})

it('slidingWindowLog waits no longer for a lower limit than the newest entries are in the window', () => {
  const limiter = createWaitingLimiter(slidingWindowLog({ limit: 4, windowMs: 1000 }), { clock })
  for (const at of [0, 250, 500, 750]) limiter.allow(1, at)
  limiter.configure({ limit: 2 }, 800)
  expect(limiter.peek(1, 800).retryAfterMs).toBe(700)
  expect([1499, 1500, 1749, 1750].map((at) => limiter.allow(1, at))).toEqual([false, true, false, true])
})

it('slidingWindowCounter keeps its estimate and the elapsed share of the window', () => {
  const limiter = createWaitingLimiter(slidingWindowCounter({ limit: 10, windowMs: 1000 }), { clock })
  limiter.allow(8, 500)
  limiter.allow(2, 1250)
  // 8 · (1 − 0.25) + 2 = 8
  expect(limiter.remaining(1250)).toBe(2)
  limiter.configure({ limit: 9, windowMs: 2000 }, 1250)
  expect(limiter.remaining(1250)).toBe(1)
  // A quarter of 2,000 ms has elapsed, as of 1,000 before: half of it at 1,750.
  expect(limiter.remaining(1750)).toBe(9 - (8 * 0.5 + 2))
  expect(limiter.remaining(2751)).toBe(9 - 1)
})

it.each(everyRule)('%s does not change for absent or undefined options', (_, make) => {
  const limiter = createWaitingLimiter(make(10, 4), { clock })
  limiter.allow(1, 0)
  const shown = limiter.snapshot()
  const names = ['ratePerSecond', 'burst', 'capacity', 'limit', 'windowMs']
  limiter.configure({}, 0)
  limiter.configure(Object.fromEntries(names.map((name) => [name, undefined])), 0)
  expect(limiter.snapshot()).toBe(shown)
  expect(limiter.remaining(0)).toBeCloseTo(3, 9)
})

it.each(ownRules)('%s does not change for an invalid option', (_, make) => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const [limiter, other] = [0, 1].map(() => createLimiter(make(10, 4), { clock }))
  for (const one of [limiter!, other!]) one.allow(3, 250)
  for (const name of ['ratePerSecond', 'burst', 'capacity', 'limit', 'windowMs'])
    try {
      limiter!.configure({ [name]: NaN }, 350)
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  for (const at of [350, 400, 800, 1200]) expect(limiter!.peek(2, at)).toEqual(other!.peek(2, at))
  expect.assertions(6)
})

it('a refusal is no taking: a clock that steps back to before it shows the level of that instant', () => {
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 10, burst: 2 }), { clock })
  expect([limiter.allow(2, 0), limiter.allow(2, 100), limiter.remaining(50)]).toEqual([true, false, 0.5])
})

it.each([{ ratePerSecond: 5 }, { burst: 5 }])('shows the change %o', (changes) => {
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 10, burst: 10 }), { clock })
  expect(limiter.snapshot()).not.toMatchObject(changes)
  limiter.configure(changes)
  expect(limiter.snapshot()).toMatchObject(changes)
})

it('forgets nothing of a log when the limit is lowered and raised again', () => {
  const clock = createManualClock()
  const limiter = createLimiter(slidingWindowLog({ limit: 100, windowMs: 60_000 }), { clock })
  limiter.allow(99)
  clock.advance(58_000)
  limiter.allow()
  limiter.configure({ limit: 1 })
  limiter.configure({ limit: 100 })
  clock.advance(2000)
  expect(limiter.remaining()).toBe(99)
})
