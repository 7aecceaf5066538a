import { getEventListeners } from 'node:events'
import { createWaitingLimiter, type WaitingLimiter } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../../time/clocks.ts'
import { everyRule } from '../rules/every-rule.ts'
import { settled, track, unhandledRejections } from '../../shared/promises.ts'

/** How many listen for the abort of `signal`. */
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe.each(everyRule)('%s', (_, make) => {
  it('rejects with the very reason of the signal in the tick in which it aborts', async () => {
    for (const reason of [{ why: 'gone' }, 'gone', null, new Error('gone')]) {
      const limiter = createWaitingLimiter(make(10, 2), { clock: createTestClock() })
      limiter.allow(2)
      const controller = new AbortController()
      const log: unknown[] = []
      limiter.wait(1, { signal: controller.signal }).catch((error: unknown) => log.push(error))
      await settled()
      controller.abort(reason)
      // Of what is put off by one continuation more, the rejection is not.
      const later = Promise.resolve().then(() => log.push('later'))
      await later
      expect(log).toEqual([reason, 'later'])
      expect(log[0]).toBe(reason)
    }
  })

  it('gives back what was waited for, and takes the timer away', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(3)
    const before = limiter.remaining()
    const controller = new AbortController()
    const waiting = track(limiter.wait(4, { signal: controller.signal }))
    expect(limiter.snapshot()).toMatchObject({ waiting: 1 })
    controller.abort()
    expect(limiter.snapshot()).toMatchObject({ waiting: 0, allowed: 1, denied: 0 })
    expect([limiter.remaining(), clock.pending]).toEqual([before, 0])
    expect(limiter.allow()).toBe(true)
    await settled()
    expect(waiting.error).toBe(controller.signal.reason)
  })

  it('lets those behind move up, at once where their turn has come', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(3)
    const [first, second] = [new AbortController(), new AbortController()]
    const waits = [
      limiter.wait(4, { signal: first.signal }),
      limiter.wait(4, { signal: second.signal }),
      limiter.wait(1),
      limiter.wait(2),
    ].map(track)
    const alone = createWaitingLimiter(make(10, 4), { clock })
    alone.allow(3)
    void alone.wait(1)
    const last = track(alone.wait(2))
    second.abort()
    await settled()
    expect(waits.map(({ state }) => state)).toEqual(['pending', 'rejected', 'pending', 'pending'])
    first.abort()
    await settled()
    expect(waits.map(({ state }) => state)).toEqual(['rejected', 'rejected', 'resolved', 'pending'])
    // From there on it is as if they had never come.
    while (last.state === 'pending') {
      expect(waits[3]!.state).toBe('pending')
      await clock.advanceAsync(1)
    }
    expect(waits[3]!.state).toBe('resolved')
    await clock.advanceAsync(1000)
  })

  it('rejects all who wait with the same signal, none of whom moves up meanwhile', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 4), { clock })
    limiter.allow(3)
    const controller = new AbortController()
    const waits = [4, 1, 1, 1].map((cost) => track(limiter.wait(cost, { signal: controller.signal })))
    const other = track(limiter.wait(1))
    controller.abort()
    await settled()
    expect(waits.map(({ state }) => state)).toEqual(Array(4).fill('rejected'))
    expect([other.state, limiter.remaining(), clock.pending]).toEqual(['resolved', 0, 0])
  })

  it('does nothing when the signal aborts after the wait is over', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(10, 1), { clock })
    const controller = new AbortController()
    const waits = [1, 1].map((cost) => track(limiter.wait(cost, { signal: controller.signal })))
    await clock.advanceAsync(1000)
    const level = limiter.remaining()
    controller.abort()
    await settled()
    expect(waits.map(({ state }) => state)).toEqual(['resolved', 'resolved'])
    expect(limiter.remaining()).toBe(level)
  })

  it('takes nothing for a signal that has aborted', async () => {
    const limiter = createWaitingLimiter(make(10, 1), { clock: createTestClock() })
    const reason = Symbol('reason')
    const waiting = track(limiter.wait(1, { signal: AbortSignal.abort(reason) }))
    await settled()
    expect(waiting.error).toBe(reason)
    expect(limiter.snapshot()).toMatchObject({ level: 1, allowed: 0, denied: 0, waiting: 0 })
  })

  it('listens once to a signal however many wait, and no more when nobody does', async () => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(make(1000, 10), { clock })
    const { signal } = new AbortController()
    const waits = Array.from({ length: 1000 }, () => limiter.wait(1, { signal }))
    expect(listeners(signal)).toBe(1)
    await clock.advanceAsync(5000)
    await Promise.all(waits)
    expect(listeners(signal)).toBe(0)
    await limiter.wait(1, { signal })
    expect(listeners(signal)).toBe(0)
    const refused = track(limiter.wait(11, { signal }))
    await settled()
    expect([refused.state, listeners(signal)]).toEqual(['rejected', 0])
  })
})

it('leaves no listener behind when a wait is refused later, disposed of, let go by a bypass or aborted', async () => {
  const [, make] = everyRule[0]!
  const ends: [string, (limiter: WaitingLimiter, controller: AbortController) => void][] = [
    ['configure', (limiter) => limiter.configure({ burst: 1 })],
    ['dispose', (limiter) => limiter[Symbol.dispose]()],
    ['bypass', (limiter) => limiter.bypass(true)],
    ['abort', (_, controller) => controller.abort()],
  ]
  for (const [name, end] of ends) {
    const limiter = createWaitingLimiter(make(10, 2), { clock: createTestClock() })
    limiter.allow(2)
    const controller = new AbortController()
    const waiting = track(limiter.wait(2, { signal: controller.signal }))
    expect(listeners(controller.signal)).toBe(1)
    end(limiter, controller)
    await settled()
    expect([name, waiting.state !== 'pending', listeners(controller.signal)]).toEqual([name, true, 0])
  }
})

it('rejects each wait once, and causes no rejection of its own', async () => {
  const [, make] = everyRule[0]!
  const reasons = await unhandledRejections(() => {
    const limiter = createWaitingLimiter(make(10, 1), { clock: createTestClock() })
    const controller = new AbortController()
    for (let i = 0; i < 10; i++) track(limiter.wait(1, { signal: controller.signal }))
    track(limiter.wait(5))
    controller.abort()
    limiter[Symbol.dispose]()
    track(limiter.wait(1))
  })
  expect(reasons).toEqual([])
})
