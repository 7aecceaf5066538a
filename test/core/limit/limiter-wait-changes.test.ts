import fc from 'fast-check'
import { createWaitingLimiter, gcra, RateLimitError, tokenBucket, type WaitingLimiter } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../time/clocks.ts'
import { everyRule, numbers, rates } from './every-rule.ts'
import { settled, track } from '../shared/promises.ts'
import { tries } from '../../laws/tries.ts'

const states = (waits: { state: string }[]): string[] => waits.map(({ state }) => state)

/** The same rate and burst for a rule of any kind, which takes of these what it has. */
const changes = (ratePerSecond: number, burst: number): Parameters<WaitingLimiter['configure']>[0] => ({
  ratePerSecond,
  burst,
  capacity: burst,
  limit: burst,
  windowMs: (burst * 1000) / ratePerSecond,
})

describe.each([
  ['tokenBucket', tokenBucket],
  ['gcra', gcra],
])('%s, reconfigured while someone waits', (_, make) => {
  it('gives those who wait new turns: sooner at a higher rate, later at a lower', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make({ ratePerSecond: 1, burst: 2 }), { clock })
    limiter.allow(2)
    const wentAt: number[] = []
    for (let i = 0; i < 5; i++) void limiter.wait().then(() => wentAt.push(clock.now()))
    await clock.advanceAsync(500)
    // Half of what the first waits for is there.
    limiter.configure({ ratePerSecond: 10 })
    expect(clock.pending).toBe(1)
    await clock.advanceAsync(150)
    limiter.configure({ ratePerSecond: 0.5 })
    await clock.advanceAsync(20_000)
    expect(wentAt).toEqual([550, 650, 2650, 4650, 6650])
  })

  it('lets go at once for whom there is enough at an infinite rate', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make({ ratePerSecond: 1, burst: 2 }), { clock })
    limiter.allow(2)
    const waits = [2, 1, 2].map((cost) => track(limiter.wait(cost)))
    limiter.configure({ ratePerSecond: Infinity })
    await settled()
    expect(states(waits)).toEqual(Array(3).fill('resolved'))
  })

  it('rejects all who wait at a rate of 0', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make({ ratePerSecond: 1, burst: 2 }), { clock })
    limiter.allow(2)
    const waits = [2, 1].map((cost) => track(limiter.wait(cost)))
    limiter.configure({ ratePerSecond: 0 })
    await settled()
    expect(states(waits)).toEqual(['rejected', 'rejected'])
    expect(waits[0]!.error).toMatchObject({ code: 'wait-too-long', retryAfterMs: Infinity })
    expect(limiter.remaining()).toBe(0)
  })

  it('tells who is sent away for how long it would have had to wait, from then on', async () => {
    const clock = createTestClock(10_000)
    const limiter = createWaitingLimiter(make({ ratePerSecond: 1, burst: 2 }), { clock })
    limiter.allow(2)
    const waiting = track(limiter.wait(2, { timeoutMs: 3000 }))
    await clock.advanceAsync(500)
    limiter.configure({ ratePerSecond: 0.5 })
    await settled()
    expect(waiting.error).toMatchObject({ code: 'wait-too-long', retryAfterMs: 3000 })
  })

  it('rejects whose time is up before its new turn, and those behind move up', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make({ ratePerSecond: 1, burst: 2 }), { clock })
    limiter.allow(2)
    const waits = [
      limiter.wait(1, { timeoutMs: 3000 }),
      limiter.wait(2, { timeoutMs: 3000 }),
      limiter.wait(1, { timeoutMs: 4000 }),
    ].map(track)
    limiter.configure({ ratePerSecond: 0.5 })
    await settled()
    expect(states(waits)).toEqual(['pending', 'rejected', 'pending'])
    expect(waits[1]!.error).toMatchObject({ code: 'wait-too-long', retryAfterMs: 6000 })
    await clock.advanceAsync(4000)
    expect(states(waits)).toEqual(['resolved', 'rejected', 'resolved'])
  })
})

describe.each(everyRule)('%s', (_, make) => {
  it('rejects whose cost is above the new capacity, and no other', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 5), { clock })
    limiter.allow(5)
    const waits = [3, 4, 5, 1, 4].map((cost) => track(limiter.wait(cost)))
    limiter.configure(changes(10, 3))
    await settled()
    expect(states(waits)).toEqual(['pending', 'rejected', 'rejected', 'pending', 'rejected'])
    expect(waits[1]!.error).toBeInstanceOf(RateLimitError)
    expect(waits[1]!.error).toMatchObject({ code: 'wait-too-long', retryAfterMs: Infinity })
    expect(limiter.snapshot()).toMatchObject({ waiting: 2, denied: 3 })
    await clock.advanceAsync(5000)
    expect(states(waits)).toEqual(['resolved', 'rejected', 'rejected', 'resolved', 'rejected'])
  })

  it('lets no more go at once than its new burst', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 10), { clock })
    limiter.allow(10)
    const large = track(limiter.wait(10))
    const small = Array.from({ length: 10 }, () => track(limiter.wait()))
    await clock.advanceAsync(950)
    limiter.configure(changes(10, 4))
    await settled()
    expect(large.state).toBe('rejected')
    const went = small.filter(({ state }) => state === 'resolved').length
    expect(went + limiter.decide(0).remaining).toBeLessThanOrEqual(4)
    await clock.advanceAsync(5000)
    expect(small.every(({ state }) => state === 'resolved')).toBe(true)
  })

  it('rejects nobody whom a configure that changes nothing leaves just enough time', async () => {
    await fc.assert(
      fc.asyncProperty(
        rates,
        numbers(0, 2 ** 20),
        fc.array(numbers(0, 0.5), { maxLength: 3 }),
        async (rate, startAt, parts) => {
          const clock = createManualClock(startAt)
          const limiter = createWaitingLimiter(make(rate, 3), { clock })
          limiter.allow(3)
          const { retryAfterMs } = limiter.peek()
          const waiting = track(limiter.wait(1, { timeoutMs: retryAfterMs }))
          for (const part of parts) {
            clock.advance(retryAfterMs * part * 0.5)
            limiter.configure({})
          }
          clock.advance(retryAfterMs + 1)
          await settled()
          expect(waiting.state).toBe('resolved')
        },
      ),
      tries(50),
    )
  })

  it('lets all who wait go while bypassed, and takes nothing for them', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(3)
    const waits = [4, 4, 1].map((cost) => track(limiter.wait(cost)))
    limiter.bypass(true)
    await settled()
    expect(states(waits)).toEqual(Array(3).fill('resolved'))
    expect([limiter.remaining(), clock.pending]).toEqual([1, 0])
    await limiter.wait(100)
    expect(limiter.reserve(100)).toMatchObject({ ok: true, at: 0 })
    expect(limiter.peek(100)).toEqual({ allowed: true, retryAfterMs: 0, remaining: 1 })
    limiter.bypass(false)
    expect([limiter.allow(2), limiter.allow(1)]).toEqual([false, true])
  })

  it('rejects all who wait when it is disposed of, and from then on; what needs no waiting is answered', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(3)
    const waits = [4, 4, 1].map((cost) => track(limiter.wait(cost)))
    limiter[Symbol.dispose]()
    expect(clock.pending).toBe(0)
    waits.push(track(limiter.wait(4)), track(limiter.wait(1)))
    await settled()
    for (const { error } of waits) {
      expect(error).toBeInstanceOf(RateLimitError)
      expect(error).toMatchObject({ code: 'disposed', retryAfterMs: Infinity })
    }
    expect([limiter.remaining(), limiter.allow(), limiter.allow()]).toEqual([1, true, false])
    expect(limiter.reserve(1).ok).toBe(true)
    limiter[Symbol.dispose]()
    expect(clock.pending).toBe(0)
  })
})
