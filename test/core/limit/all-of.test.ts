import fc from 'fast-check'
import {
  allOf,
  createLimiter,
  createWaitingLimiter,
  fixedWindow,
  gcra,
  tokenBucket,
  type Clock,
  type WaitingLimiter,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { track } from '../shared/promises.ts'
import { createTestClock } from '../time/clocks.ts'
import { forAll } from '../../laws/tries.ts'
import { countListeners, everyRule } from './rules/every-rule.ts'

function start() {
  const clock = createTestClock()
  const fast = createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 5 }), { clock })
  const perWindow = createWaitingLimiter(fixedWindow({ limit: 7, windowMs: 1000 }), { clock })
  return { clock, fast, perWindow, both: allOf(fast, perWindow) }
}

describe('allOf', () => {
  it('rejects at its timeout if others have taken the room', async () => {
    const { clock, both } = start()
    both.allow(5)
    const first = both.wait(2)
    const second = both.wait(2, { timeoutMs: 300 })
    const ends: unknown[] = []
    second.catch((error: unknown) => ends.push(error, clock.now()))
    await clock.advanceAsync(2000)
    await first
    const message = 'Wait refused: wait-too-long'
    expect(ends).toEqual([expect.objectContaining({ code: 'wait-too-long', message }), 300])
    expect(both.snapshot()).toMatchObject({ allowed: 2, denied: 1 })
  })

  it('admits a wait whose turn comes exactly at its timeout', async () => {
    const { clock, both, fast } = start()
    both.allow(5)
    const waiting = both.wait(2, { timeoutMs: 300 })
    await clock.advanceAsync(100)
    fast.allow(1)
    await clock.advanceAsync(200)
    await waiting
    expect(both.snapshot()).toMatchObject({ allowed: 2, denied: 0 })
  })

  it('refuses others while a wait is pending, even if there is room', async () => {
    const { clock, both } = start()
    both.allow(5)
    const waiting = both.wait(5)
    await clock.advanceAsync(400)
    expect(both.peek(1)).toMatchObject({ allowed: false, retryAfterMs: 600 })
    expect(both.decide(1).allowed).toBe(false)
    expect(both.allow(1)).toBe(false)
    await clock.advanceAsync(600)
    await waiting
  })

  it('reads each limiter by its own clock', () => {
    const [one, other] = [createManualClock(1000), createManualClock(50)]
    const slow = createLimiter(tokenBucket({ ratePerSecond: 10, burst: 2 }), { clock: other })
    const both = allOf(createLimiter(tokenBucket({ ratePerSecond: 10, burst: 5 }), { clock: one }), slow)
    expect([both.allow(2), both.peek(2, 1100).retryAfterMs, both.peek(2, 1200).allowed]).toEqual([
      true,
      100,
      true,
    ])
    other.advance(100)
    expect(slow.remaining()).toBe(1)
  })

  it('calls a listener once for a taking, and for a refusal once more for each limiter that refuses', () => {
    const { both } = start()
    let calls = 0
    both.subscribe(() => calls++)
    both.allow(5)
    expect(calls).toBe(1)
    both.allow()
    expect(calls).toBe(3)
  })

  it('has no `reserve` if one of its limiters has none', () => {
    const { fast } = start()
    expect(allOf(fast, createLimiter(gcra({ ratePerSecond: 1, burst: 1 })))).not.toHaveProperty('reserve')
  })

  it('rejects with the reason of a signal that has aborted already', async () => {
    const { both } = start()
    await expect(both.wait(1, { signal: AbortSignal.abort('gone') })).rejects.toBe('gone')
    expect(both.remaining()).toBe(5)
  })

  it('rejects a pending wait when a limiter can never allow it', async () => {
    const { clock, both, fast } = start()
    both.allow(5)
    const waiting = both.wait(2)
    fast.configure({ ratePerSecond: 0 })
    await expect(waiting).rejects.toMatchObject({ code: 'wait-too-long', retryAfterMs: Infinity })
    expect([clock.pending, both.snapshot().waiting]).toEqual([0, 0])
  })

  it('answers and accepts waits behind a wait that a limiter can no longer allow', async () => {
    const { clock, both, fast } = start()
    both.allow(5)
    const waits = [both.wait(1), both.wait(5)].map(track)
    fast.configure({ burst: 2 })
    expect(both.peek(1)).toEqual({ allowed: false, retryAfterMs: 100, remaining: 0 })
    waits.push(track(both.wait(1, { timeoutMs: 500 })))
    await clock.advanceAsync(200)
    expect(waits.map(({ state }) => state)).toEqual(['resolved', 'rejected', 'resolved'])
  })

  it('admits everything while bypassed, and takes nothing', async () => {
    const { clock, both, fast, perWindow } = start()
    both.allow(5)
    const waiting = both.wait(2)
    both.bypass(true)
    await waiting
    expect([perWindow.remaining(), fast.snapshot().denied]).toEqual([2, 0])
    expect([both.allow(100), both.reserve(100).delay(), both.peek(100).allowed]).toEqual([true, 0, true])
    expect(fast.remaining()).toBe(0)
    both.bypass(false)
    expect([both.allow(), clock.pending]).toEqual([false, 0])
  })

  it('rejects pending waits after disposal, and still decides', async () => {
    const { clock, both } = start()
    both.allow(5)
    const waiting = both.wait(2)
    both[Symbol.dispose]()
    await expect(waiting).rejects.toMatchObject({ code: 'disposed', retryAfterMs: Infinity })
    for (const [cost, timeoutMs] of [
      [0, Infinity],
      [5, 1],
      [6, 0],
    ] as const)
      await expect(both.wait(cost, { timeoutMs })).rejects.toMatchObject({ code: 'disposed' })
    expect([both.allow(), clock.pending]).toEqual([false, 0])
  })

  it.each([
    ['no limiters', () => allOf(), TypeError, 'Expected at least one limiter, got none'],
    ['configure', () => start().both.configure(undefined as never), TypeError, 'Expected configure'],
  ] as const)('throws for %s', (_, act, type, message) => {
    expect(act).toThrow(type)
    expect(act).toThrow(message)
  })
})

it('allOf takes from its limiters what can be taken from them one by one, and counts as they do', () => {
  const rules = everyRule.map(
    ([, make], index) =>
      (clock: Clock) =>
        createWaitingLimiter(make(7 + index, 4 + (index % 3)), { clock }),
  )
  const step = fc.record({
    afterMs: fc.oneof(fc.nat(400), fc.constant(-1000)),
    cost: fc.integer({ min: 1, max: 7 }),
    verb: fc.constantFrom('allow', 'allow', 'decide', 'reserve', 'cancel'),
  })
  forAll(5000, fc.subarray(rules, { minLength: 1 }), fc.array(step, { maxLength: 60 }), (makers, script) => {
    let now = 100_000
    const clock = { ...createManualClock(), now: () => now }
    const [ours, byHand] = [0, 1].map(() => makers.map((make) => make(clock))) as [
      WaitingLimiter[],
      WaitingLimiter[],
    ]
    const all = allOf(...ours)
    let cancels: (() => void)[] = []
    for (const { afterMs, cost, verb } of script) {
      now += afterMs
      if (verb === 'cancel') {
        for (const cancel of cancels.splice(0)) cancel()
      } else if (verb === 'reserve') {
        const booking = all.reserve(cost)
        const bookings = byHand.map((limiter) => limiter.reserve(cost))
        const ok = bookings.every((each) => each.ok)
        expect(booking).toMatchObject({ ok, at: Math.max(...bookings.map(({ at }) => at)) })
        expect(booking.delay(now + 50)).toBe(Math.max(booking.at - (now + 50), 0))
        const cancelAll = (): void => bookings.forEach(({ cancel }) => cancel())
        if (ok) cancels = [booking.cancel, booking.cancel, cancelAll]
        else cancelAll()
      } else {
        const refusing = byHand.filter((limiter) => !limiter.peek(cost).allowed)
        const isAllowed = refusing.length === 0
        for (const limiter of isAllowed ? byHand : refusing) limiter.allow(cost)
        expect(verb === 'allow' ? all.allow(cost) : all.decide(cost).allowed).toBe(isAllowed)
        const { retryAfterMs } = all.peek(cost)
        if (retryAfterMs < Infinity) expect(all.peek(cost, now + retryAfterMs).allowed).toBe(true)
      }
      const shown = (limiters: WaitingLimiter[]) => limiters.map((limiter) => limiter.snapshot())
      expect(shown(ours)).toEqual(shown(byHand))
      const least = (name: 'ratePerSecond' | 'burst' | 'level') =>
        Math.min(...shown(byHand).map((shot) => shot[name]))
      expect(all.snapshot()).toMatchObject({
        ratePerSecond: least('ratePerSecond'),
        burst: least('burst'),
        level: least('level'),
      })
      expect(all.snapshot()).toBe(all.snapshot())
    }
  })
})

describe('a listener of a limiter', () => {
  function startTwo() {
    const clock = createManualClock()
    const limiters = [1, 2].map(() =>
      createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 2 }), { clock }),
    )
    const both = allOf(...limiters)
    both.allow(2)
    return { clock, both, limiters }
  }

  it.each(['abort', 'dispose'])('may end the wait that is being served: %s', async (how) => {
    const { clock, both, limiters } = startTwo()
    const controller = new AbortController()
    const ends: string[] = []
    const note = (name: string, waiting: Promise<void>): void =>
      void waiting.then(
        () => ends.push(`${name} at ${clock.now()}`),
        () => ends.push(`${name} ended at ${clock.now()}`),
      )
    note('first', both.wait(1, { signal: controller.signal }))
    note('second', both.wait(2))
    limiters[0]!.subscribe(() => {
      if (how === 'abort') controller.abort()
      else both[Symbol.dispose]()
    })
    await clock.advanceAsync(10_000)
    expect(ends).toEqual(
      how === 'abort'
        ? ['first ended at 1000', 'second at 3000']
        : ['first ended at 1000', 'second ended at 1000'],
    )
    // The first `allow`, and the second wait.
    expect(both.snapshot().allowed).toBe(how === 'abort' ? 2 : 1)
  })

  it('of all of them is called when one has changed, until it unsubscribes', () => {
    const { both, limiters } = startTwo()
    let calls = 0
    const unsubscribe = both.subscribe(() => calls++)
    limiters[1]!.configure({ burst: 1 })
    unsubscribe()
    limiters[1]!.configure({ burst: 3 })
    both.allow()
    expect(calls).toBe(1)
  })

  it('may make a wait impossible, which takes nothing', async () => {
    const { clock, both, limiters } = startTwo()
    const waiting = both.wait(2).catch((error: unknown) => error)
    limiters[0]!.configure({ ratePerSecond: 2 })
    await clock.advanceAsync(1000)
    limiters[1]!.configure({ burst: 1 })
    expect(await waiting).toMatchObject({ code: 'wait-too-long' })
    expect(limiters[0]!.remaining()).toBe(2)
  })

  it('gets nothing in the middle of a taking', () => {
    const { clock, both, limiters } = startTwo()
    clock.advance(1000)
    limiters[1]!.configure({ burst: 1 })
    let isInner = false
    const inner: boolean[] = []
    limiters[0]!.subscribe(() => {
      if (isInner) return
      isInner = true
      inner.push(both.allow())
    })
    expect([both.allow(), inner]).toEqual([true, [false]])
  })
})

it('subscribes once to each limiter, and only while a caller waits', async () => {
  const { clock, fast } = start()
  const { limiter, listening } = countListeners(fast)
  const all = allOf(limiter)
  all.allow(5)
  const controller = new AbortController()
  const left = all.wait(1, controller)
  const waits = [all.wait(), all.wait()]
  controller.abort()
  await expect(left).rejects.toBe(controller.signal.reason)
  for (const expected of [1, 1, 0]) {
    expect(listening()).toBe(expected)
    await clock.advanceAsync(100)
  }
  await Promise.all(waits)
})

it.each(['both', 'one'])('a wait goes on when the clock of %s is set back', async (whose) => {
  const manual = createTestClock(1e9)
  const byMs = [0, 0]
  const limiters = byMs.map((_, index) => {
    const clock = { ...manual, now: () => manual.now() + byMs[index]! }
    return createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 1 }), { clock })
  })
  const both = allOf(...limiters)
  both.allow()
  const waiting = track(both.wait())
  byMs.fill(-1e8, whose === 'both' ? 0 : 1)
  await manual.advanceAsync(300)
  expect(waiting.state).toBe('resolved')
})

it.each(everyRule)(
  'a wait for %s goes on when others took before the clock was set back',
  async (_, make) => {
    const manual = createTestClock(1e9)
    let byMs = 0
    const clock = { ...manual, now: () => manual.now() + byMs }
    const direct = createWaitingLimiter(make(10, 1), { clock })
    const both = allOf(direct, createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 5 }), { clock }))
    const acts = [() => direct.allow(), () => both.reserve()]
    for (const act of acts) {
      act()
      byMs -= 1e8
      const waiting = track(both.wait())
      await manual.advanceAsync(50)
      expect(waiting.state).toBe('pending')
      await manual.advanceAsync(51)
      expect(waiting.state).toBe('resolved')
      await manual.advanceAsync(200)
    }
  },
)
