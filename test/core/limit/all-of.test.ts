import fc from 'fast-check'
import {
  allOf,
  createLimiter,
  createWaitingLimiter,
  fixedWindow,
  gcra,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type WaitingLimiter,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'

function start() {
  const clock = createManualClock()
  const fast = createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 5 }), { clock })
  const perWindow = createWaitingLimiter(fixedWindow({ limit: 7, windowMs: 1000 }), { clock })
  return { clock, fast, perWindow, both: allOf(fast, perWindow) }
}

describe('allOf', () => {
  it('allows what each allows, and takes from all', () => {
    const { both, fast, perWindow } = start()
    expect(both.allow(3)).toBe(true)
    expect([fast.remaining(), perWindow.remaining(), both.remaining()]).toEqual([2, 4, 2])
  })

  it('takes from none if one refuses, whichever it is', () => {
    const { clock, both, fast, perWindow } = start()
    both.allow(5)
    expect(both.allow()).toBe(false)
    expect([fast.remaining(), perWindow.remaining()]).toEqual([0, 2])
    clock.advance(500)
    expect(both.allow(3)).toBe(false)
    expect([fast.remaining(), perWindow.remaining()]).toEqual([5, 2])
  })

  it('counts a refusal at those that refuse', () => {
    const { both, fast, perWindow } = start()
    both.allow(6)
    expect([fast, perWindow, both].map((limiter) => limiter.snapshot().denied)).toEqual([1, 0, 1])
    expect([fast, perWindow, both].map((limiter) => limiter.snapshot().allowed)).toEqual([0, 0, 0])
  })

  it('tells the longest wait, and waiting that long is enough', () => {
    const { clock, both } = start()
    both.allow(5)
    expect(both.decide(2)).toEqual({ allowed: false, retryAfterMs: 200, remaining: 0 })
    clock.advance(200)
    expect(both.decide(2)).toEqual({ allowed: true, retryAfterMs: 0, remaining: 0 })
    expect(both.decide(1)).toEqual({ allowed: false, retryAfterMs: 800, remaining: 0 })
    expect(both.peek(8).retryAfterMs).toBe(Infinity)
    clock.advance(800)
    expect(both.allow(1)).toBe(true)
  })

  it('books with all, to act at the last, and gives back to all', () => {
    const { both, fast, perWindow } = start()
    both.allow(5)
    const booking = both.reserve(3)
    expect([booking.ok, booking.at, booking.delay(400)]).toEqual([true, 1000, 600])
    expect([fast.remaining(), perWindow.remaining()]).toEqual([-3, -1])
    booking.cancel()
    booking.cancel()
    expect([fast.remaining(), perWindow.remaining()]).toEqual([0, 2])
  })

  it('books with none if one never allows the cost', () => {
    const { both, fast, perWindow } = start()
    const booking = both.reserve(6)
    expect([booking.ok, booking.at, booking.delay()]).toEqual([false, Infinity, Infinity])
    expect([fast.remaining(), perWindow.remaining()]).toEqual([5, 7])
  })

  it('lets wait first come, first served, on one timer, and nobody overtakes', async () => {
    const { clock, both } = start()
    both.allow(5)
    const passed: [string, number][] = []
    for (const [name, cost] of [
      ['a', 2],
      ['b', 3],
      ['c', 1],
    ] as const)
      void both.wait(cost).then(() => passed.push([name, clock.now()]))
    expect(clock.pending).toBe(1)
    await clock.advanceAsync(400)
    expect(both.allow(1)).toBe(false)
    await clock.advanceAsync(2000)
    // The window that begins at 1000 is what b waits for.
    expect(passed).toEqual([
      ['a', 200],
      ['b', 1000],
      ['c', 1000],
    ])
    expect(clock.pending).toBe(0)
  })

  it('rejects at once who would wait too long or for ever, and takes nothing', async () => {
    const { both, fast } = start()
    both.allow(5)
    const before = fast.remaining()
    await expect(both.wait(2, { timeoutMs: 199 })).rejects.toMatchObject({
      code: 'wait-too-long',
      retryAfterMs: 200,
    })
    await expect(both.wait(6)).rejects.toMatchObject({ code: 'wait-too-long', retryAfterMs: Infinity })
    expect(fast.remaining()).toBe(before)
  })

  it('rejects when the time is over that others made too short', async () => {
    const { clock, both } = start()
    both.allow(5)
    const first = both.wait(2)
    const second = both.wait(2, { timeoutMs: 300 })
    const ends: unknown[] = []
    second.catch((error: unknown) => ends.push(error, clock.now()))
    await clock.advanceAsync(2000)
    await first
    expect(ends).toEqual([expect.objectContaining({ code: 'wait-too-long' }), 300])
    expect(both.snapshot()).toMatchObject({ allowed: 2, denied: 1 })
    expect(clock.pending).toBe(0)
  })

  it('rejects at once who waits behind others for too long, as far as can be foreseen', async () => {
    const { both } = start()
    both.allow(5)
    // The window that begins at 1000 is what the first waits for.
    const first = both.wait(5)
    await expect(both.wait(1, { timeoutMs: 999 })).rejects.toMatchObject({ code: 'wait-too-long' })
    const second = both.wait(1, { timeoutMs: 1000 })
    both[Symbol.dispose]()
    await expect(first).rejects.toMatchObject({ code: 'disposed' })
    await expect(second).rejects.toMatchObject({ code: 'disposed' })
  })

  it('waits for what comes at the last moment', async () => {
    const { clock, both } = start()
    both.allow(5)
    const waiting = both.wait(2, { timeoutMs: 200 })
    await clock.advanceAsync(200)
    await waiting
    expect([clock.now(), both.snapshot().denied]).toEqual([200, 0])
  })

  it('allows nothing to others while somebody waits, though there would be room, and says so', async () => {
    const { clock, both } = start()
    both.allow(5)
    const waiting = both.wait(5)
    await clock.advanceAsync(400)
    const { allowed, retryAfterMs } = both.peek(1)
    expect([allowed, retryAfterMs > 0]).toEqual([false, true])
    expect(both.decide(1).allowed).toBe(false)
    expect(both.allow(1)).toBe(false)
    await clock.advanceAsync(600)
    await waiting
  })

  it('listens to the limiters as long as somebody waits, however many did', async () => {
    const { clock, both, fast } = start()
    let listeners = 0
    const { subscribe } = fast
    const counted = {
      ...fast,
      subscribe(listener: () => void) {
        listeners++
        const unsubscribe = subscribe(listener)
        return () => {
          listeners--
          unsubscribe()
        }
      },
    }
    const alone = allOf(counted)
    both.allow(5)
    const waits = [2, 1, 1].map((cost) => alone.wait(cost))
    expect(listeners).toBe(1)
    await clock.advanceAsync(2000)
    await Promise.all(waits)
    expect(listeners).toBe(0)
  })

  it('limits by limiters that nobody can wait for or book, and then cannot be booked either', async () => {
    const clock = createManualClock()
    const plain = createLimiter(tokenBucket({ ratePerSecond: 10, burst: 2 }), { clock })
    const both = allOf(plain, createLimiter(gcra({ ratePerSecond: 5, burst: 9 }), { clock }))
    both.allow(2)
    const wentAt: number[] = []
    const waits = [1, 1].map((cost) => both.wait(cost).then(() => wentAt.push(clock.now())))
    expect([plain.allow(0), both.allow(0)]).toEqual([true, false])
    await clock.advanceAsync(1000)
    await Promise.all(waits)
    expect(wentAt).toEqual([100, 200])
    expect(() => (both as WaitingLimiter<never>).reserve()).toThrow(TypeError)
  })

  it('reads each limiter by its own clock', () => {
    const [one, other] = [createManualClock(1000), createManualClock(50)]
    const both = allOf(
      createLimiter(tokenBucket({ ratePerSecond: 10, burst: 5 }), { clock: one }),
      createLimiter(tokenBucket({ ratePerSecond: 10, burst: 2 }), { clock: other }),
    )
    expect([both.allow(2), both.peek(2, 1100).retryAfterMs, both.peek(2, 1200).allowed]).toEqual([
      true,
      100,
      true,
    ])
  })

  it('gives back all that it booked with a limiter that is there twice', () => {
    const { fast } = start()
    const twice = allOf(fast, fast)
    fast.allow(5)
    const booking = twice.reserve(3)
    expect(fast.remaining()).toBe(-6)
    booking.cancel()
    expect(fast.remaining()).toBe(0)
  })

  it('rejects with the reason of the signal in the same tick, and those behind move up', async () => {
    const { clock, both } = start()
    both.allow(5)
    const controller = new AbortController()
    const aborted = both.wait(5, { signal: controller.signal })
    const behind = both.wait(1)
    const reason = { why: 'left' }
    controller.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    await clock.advanceAsync(100)
    await behind
    expect(clock.now()).toBe(100)
  })

  it('wakes who waits when one of the limiters changes', async () => {
    const { clock, both, fast } = start()
    both.allow(5)
    const waiting = both.wait(2)
    fast.configure({ ratePerSecond: Infinity })
    await waiting
    expect([clock.now(), clock.pending]).toEqual([0, 0])
  })

  it('lets everybody through while bypassed, and takes nothing', async () => {
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

  it('disposed of, rejects who waits and answers the rest', async () => {
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

  it('shows the strictest of the limits', () => {
    const { both } = start()
    void both.allow(2)
    expect(both.snapshot()).toMatchObject({
      ratePerSecond: 7,
      burst: 5,
      level: 3,
      allowed: 1,
      denied: 0,
      waiting: 0,
    })
    expect(both.snapshot()).toBe(both.snapshot())
  })

  it('is not frozen by a clock that steps back, nor given anything', () => {
    const { clock, both, fast } = start()
    fast.allow(5, 100_000)
    expect(clock.now()).toBe(0)
    expect(both.decide()).toEqual({ allowed: false, retryAfterMs: 100, remaining: 0 })
    clock.advance(100)
    expect(both.allow()).toBe(true)
  })

  it.each([
    ['no limiters', () => allOf(), TypeError, 'Expected at least one limiter, got none'],
    ['configure', () => start().both.configure(undefined as never), TypeError, 'Expected configure'],
  ] as const)('throws for %s', (_, act, type, message) => {
    expect(act).toThrow(type)
    expect(act).toThrow(message)
  })
})

it('allOf allows exactly what limiters asked by hand allow', () => {
  const make: ((clock: ReturnType<typeof createManualClock>) => WaitingLimiter<never>)[] = [
    (clock) => createWaitingLimiter(tokenBucket({ ratePerSecond: 7, burst: 4 }), { clock }),
    (clock) => createWaitingLimiter(gcra({ ratePerSecond: 9.99, burst: 6 }), { clock }),
    (clock) => createWaitingLimiter(fixedWindow({ limit: 5, windowMs: 700 }), { clock }),
    (clock) => createWaitingLimiter(slidingWindowLog({ limit: 6, windowMs: 900 }), { clock }),
    (clock) => createWaitingLimiter(slidingWindowCounter({ limit: 8, windowMs: 1000 }), { clock }),
  ]
  const steps = fc.array(fc.record({ afterMs: fc.nat(400), cost: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(fc.subarray(make, { minLength: 1 }), steps, (makers, script) => {
      const clock = createManualClock()
      const [ours, byHand] = [0, 1].map(() => makers.map((maker) => maker(clock)))
      const all = allOf(...ours!)
      for (const { afterMs, cost } of script) {
        clock.advance(afterMs)
        const isAllowed = byHand!.every((limiter) => limiter.peek(cost).allowed)
        if (isAllowed) for (const limiter of byHand!) limiter.allow(cost)
        expect(all.allow(cost)).toBe(isAllowed)
        expect(ours!.map((limiter) => limiter.remaining())).toEqual(
          byHand!.map((limiter) => limiter.remaining()),
        )
        const { retryAfterMs } = all.peek(cost)
        if (retryAfterMs < Infinity) expect(all.peek(cost, clock.now() + retryAfterMs).allowed).toBe(true)
      }
    }),
  )
})
