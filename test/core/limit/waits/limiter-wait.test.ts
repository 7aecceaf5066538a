import { createWaitingLimiter, RateLimitError, type WaitingLimiter, gcra, tokenBucket } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../../time/clocks.ts'
import { everyRule, windowRules, bucketRules } from '../rules/every-rule.ts'
import { settled, track } from '../../shared/promises.ts'
import { getEventListeners } from 'node:events'

/** The number of abort listeners of `signal`. */
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

const states = (waits: { state: string }[]): string[] => waits.map(({ state }) => state)

describe.each(everyRule)('%s', (_, make) => {
  it('rejects at once if timeoutMs is too short, taking nothing; an exact timeout suffices', async () => {
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
      message: 'Wait refused: wait-too-long',
    })
    expect([limiter.remaining(), clock.pending]).toEqual([level, 0])
    const waiting = track(limiter.wait(2, { timeoutMs: retryAfterMs }))
    await clock.advanceAsync(retryAfterMs)
    expect(waiting.state).toBe('resolved')
  })

  it('rejects with the reason of the signal in the tick of the abort', async () => {
    for (const reason of [{ why: 'gone' }, 'gone', null, new Error('gone')]) {
      const limiter = createWaitingLimiter(make(10, 2), { clock: createTestClock() })
      limiter.allow(2)
      const controller = new AbortController()
      const log: unknown[] = []
      limiter.wait(1, { signal: controller.signal }).catch((error: unknown) => log.push(error))
      await settled()
      controller.abort(reason)
      // The rejection needs no more continuations than this one.
      const later = Promise.resolve().then(() => log.push('later'))
      await later
      expect(log).toEqual([reason, 'later'])
      expect(log[0]).toBe(reason)
    }
  })

  it('resolves all pending waits while bypassed, and takes nothing for them', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(3)
    const waits = [4, 4, 1].map((cost) => track(limiter.wait(cost)))
    limiter.bypass(false)
    await settled()
    expect(states(waits)).toEqual(Array(3).fill('pending'))
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
})

const rule = tokenBucket({ ratePerSecond: 10, burst: 2 })

const ends: [string, (limiter: WaitingLimiter, controller: AbortController) => void][] = [
  ['configure', (limiter) => limiter.configure({ burst: 1 })],
  ['dispose', (limiter) => limiter[Symbol.dispose]()],
  ['bypass', (limiter) => limiter.bypass(true)],
  ['abort', (_, controller) => controller.abort()],
]

it('leaves no listener after a late refusal, disposal, bypass or abort', async () => {
  for (const [name, end] of ends) {
    const limiter = createWaitingLimiter(rule, { clock: createTestClock() })
    limiter.allow(2)
    const controller = new AbortController()
    const waiting = track(limiter.wait(2, { signal: controller.signal }))
    limiter.reserve(2)
    expect(listeners(controller.signal)).toBe(1)
    end(limiter, controller)
    await settled()
    expect([name, waiting.state !== 'pending', listeners(controller.signal)]).toEqual([name, true, 0])
  }
})

it.each(ends.slice(1))('ends all waits if a listener to a late refusal calls %s', async (_, end) => {
  const clock = createTestClock()
  const controller = new AbortController()
  const limiter = createWaitingLimiter(rule, { clock, onEvent: () => end(limiter, controller) })
  limiter.allow(2)
  const waits = [2, 1].map((cost) => track(limiter.wait(cost, cost > 1 ? {} : controller)))
  limiter.configure({ burst: 1 })
  await settled()
  expect(states(waits)).not.toContain('pending')
  expect([limiter.snapshot().waiting, clock.pending]).toEqual([0, 0])
})

it.each([
  ['tokenBucket', tokenBucket],
  ['gcra', gcra],
])('%s rejects a wait with the remaining delay when it is reconfigured', async (_, make) => {
  const clock = createTestClock(10_000)
  const limiter = createWaitingLimiter(make({ ratePerSecond: 1, burst: 2 }), { clock })
  limiter.allow(2)
  const waiting = track(limiter.wait(2, { timeoutMs: 2000 }))
  await clock.advanceAsync(500)
  // The wait still meets its timeout.
  limiter.configure({})
  limiter.configure({ ratePerSecond: 0.5 })
  await settled()
  expect(waiting.error).toMatchObject({ code: 'wait-too-long', retryAfterMs: 3000 })
})

it.each(bucketRules)('%s fully refunds an aborted wait and keeps reservations behind it', async (_, make) => {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(make(10, 10), { clock })
  limiter.allow(10)
  const controller = new AbortController()
  const waiting = track(limiter.wait(5, { signal: controller.signal }))
  // The wait's turn would be at 500; the reservation's is at 800.
  const { at } = limiter.reserve(3)
  expect(at).toBeCloseTo(800, 9)
  expect(limiter.remaining()).toBeCloseTo(-8, 9)
  controller.abort()
  // A pending wait has taken nothing yet. The reservation keeps its instant, and new calls come after it.
  expect(limiter.remaining()).toBeCloseTo(-3, 9)
  expect(limiter.peek().retryAfterMs).toBeCloseTo(800, 9)
  await settled()
  expect(waiting.state).toBe('rejected')
  await clock.advanceAsync(800)
  // Eight tokens have come, and the reservation took three.
  expect(limiter.remaining()).toBeCloseTo(5, 9)
})

it.each(windowRules)('%s moves its reservations back with the clock', (_, make) => {
  const clock = createTestClock()
  const limiter = createWaitingLimiter(make(10, 1), { clock })
  limiter.allow(1, 10_000)
  const [first, second] = [limiter.reserve(1, 10_000), limiter.reserve(1, 10_000)]
  const delays = [first, second].map(({ delay }) => delay(10_000))
  // A peek returns what a decision would, but only a decision moves the limit back.
  const { retryAfterMs } = limiter.peek(1, 5000)
  expect(retryAfterMs).toBeLessThanOrEqual(350)
  expect([limiter.allow(1, 5000), limiter.peek(1, 5000).retryAfterMs]).toEqual([false, retryAfterMs])
  expect([first, second].map(({ delay }) => delay(5000))).toEqual(
    delays.map((ms) => expect.closeTo(ms, 6) as number),
  )
  expect(limiter.allow(1, 5000 + retryAfterMs)).toBe(true)
})

it.each(everyRule)('%s calls its rule fewer than 50 times a ms with thousands of waits', (_, make) => {
  const rule = make(1000, 1)
  let calls = 0
  const counted =
    <Args extends unknown[], Result>(method: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls++
      return method(...args)
    }
  const clock = createTestClock()
  const limiter = createWaitingLimiter(
    { ...rule, book: counted(rule.book), waitMs: counted(rule.waitMs) },
    { clock },
  )
  const wait = (): void => void limiter.wait().catch(() => {})
  for (let i = 0; i < 2500; i++) wait()
  limiter.reserve()
  for (let i = 0; i < 2500; i++) wait()
  calls = 0
  for (let i = 0; i < 100; i++) {
    clock.advance(1)
    wait()
  }
  expect(calls / 100).toBeLessThan(50)
  limiter[Symbol.dispose]()
})
