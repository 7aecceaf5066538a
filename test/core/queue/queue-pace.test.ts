import fc from 'fast-check'
import {
  createLimiter,
  createQueue,
  createWaitingLimiter,
  gcra,
  slidingWindowCounter,
  tokenBucket,
  type GcraChanges,
  type Limiter,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { createAdjustableClock, createTestClock, recordTimers } from '../time/clocks.ts'
import { recordsOf } from '../../laws/steps.ts'
import { forAllAsync } from '../../laws/tries.ts'
import { countListeners } from '../limit/rules/every-rule.ts'
import { settled } from '../shared/promises.ts'
import { createLimitedQueue, createLoggedQueue, instantsOf, names } from './queue-log.ts'

// How a limiter paces a queue. See queue-order.test.ts for the order of the tasks.

const drips = gcra({ ratePerSecond: 10, burst: 1 })

const every100 = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + 100 * index)

describe('the worked example: ten a second, a capacity of 20', () => {
  it('starts ten tasks added at 0 s at 0, 0.1 … 0.9 s, and 20 of thirty added at 1 s until 2.9 s', async () => {
    const { clock, queue, starts, ends, add } = createLimitedQueue(drips, { capacity: 20 })
    for (const name of names(10)) add(name)
    await clock.advanceAsync(1000)
    expect(instantsOf(starts)).toEqual(every100(0, 10))
    expect(queue.size).toBe(0)

    starts.length = ends.length = 0
    for (const name of names(30)) add(name)
    await clock.advanceAsync(2000)
    expect(instantsOf(starts)).toEqual(every100(1000, 20))
    expect(ends.slice(0, 10)).toEqual(
      names(30)
        .slice(20)
        .map((name) => `1000 ${name}: queue-full, retry after 100`),
    )
    expect(ends).toHaveLength(30)
  })

  it('does not count tasks towards the capacity that the limiter lets start at once', () => {
    const bucket = tokenBucket({ ratePerSecond: 1, burst: 5 })
    const { queue, starts, add } = createLimitedQueue(bucket, { capacity: 2 })
    for (const name of names(9)) add(name)
    expect([starts.length, queue.size, queue.snapshot().refused]).toEqual([5, 2, 2])
    queue.clear()
  })
})

describe('the limiter', () => {
  it('rejects at once a task whose cost it never allows', async () => {
    const { clock, starts, ends, add } = createLimitedQueue(drips)
    add('much', { cost: 2 })
    add('one')
    add('behind')
    add('also much', { cost: 2 })
    await clock.advanceAsync(0)
    expect([starts, ends]).toEqual([
      ['0 one'],
      ['0 much: wait-too-long', '0 also much: wait-too-long', '0 one'],
    ])
    await clock.advanceAsync(100)
  })

  it.each<[change: string, change: (limiter: Limiter<GcraChanges>) => void, at: number]>([
    // Half a token is missing: 50 ms at ten a second.
    ['does not change', () => undefined, 100],
    ['gets a higher rate', (limiter) => limiter.configure({ ratePerSecond: 20 }), 75],
    ['gets a lower rate', (limiter) => limiter.configure({ ratePerSecond: 5 }), 150],
    ['is bypassed', (limiter) => limiter.bypass(true), 50],
  ])('that %s while a task is pending reschedules it', async (_, change, at) => {
    const { clock, limiter, starts, add } = createLimitedQueue(drips)
    add('first')
    add('second')
    await clock.advanceAsync(50)
    change(limiter)
    await clock.advanceAsync(200)
    expect(starts).toEqual(['0 first', `${at} second`])
  })

  it('rejects pending tasks once it can never allow them', async () => {
    const { clock, limiter, ends, add } = createLimitedQueue(drips)
    for (const name of names(3)) add(name)
    limiter.configure({ ratePerSecond: 0 })
    await clock.advanceAsync(0)
    expect(ends.sort()).toEqual(['0 n0', '0 n1: wait-too-long', '0 n2: wait-too-long'])
  })
})

describe('a limiter that is shared', () => {
  it.each([2, 5])('serves %d busy queues in turns', async (count) => {
    const clock = createTestClock()
    const limiter = createWaitingLimiter(drips, { clock })
    const starts: string[] = []
    const queues = names(count).map((name) => {
      const queue = createQueue({ limiter, clock })
      for (let n = 0; n < 20; n++) void queue.add(() => starts.push(`${clock.now()} ${name}`))
      return queue
    })
    await clock.advanceAsync(1000 * count)
    expect(instantsOf(starts)).toEqual(every100(0, 10 * count + 1))
    // The first queue starts one task before there are others.
    const order = starts.slice(1).map((start) => start.split(' ')[1])
    for (let n = 0; n + count <= order.length; n++)
      expect(new Set(order.slice(n, n + count)).size).toBe(count)
    for (const queue of queues) queue.clear()
  })

  it('has no listener left when no task is pending', async () => {
    const clock = createTestClock()
    const { limiter, listening } = countListeners(createWaitingLimiter(drips, { clock }))
    const { queue, add } = createLoggedQueue({ limiter, clock })
    const controller = new AbortController()
    for (const [act, expected] of [
      [() => add('first'), 0],
      [() => add('second', { signal: controller.signal }), 1],
      [() => controller.abort(), 0],
      [() => add('third'), 1],
      [() => clock.advanceAsync(100), 0],
      [() => add('fourth'), 1],
      [() => queue.pause(), 0],
      [() => queue.resume(), 1],
      [() => queue[Symbol.dispose](), 0],
    ] as const) {
      await act()
      expect(listening()).toBe(expected)
    }
  })
})

describe('time', () => {
  it('sets one timer for each delayed start, and no others', async () => {
    const { clock, delays, cancelled } = recordTimers(createTestClock())
    const limiter = createWaitingLimiter(drips, { clock })
    const queue = createQueue({ limiter, clock })
    void queue.add(() => undefined)
    expect(delays).toEqual([])
    for (let n = 0; n < 1000; n++) void queue.add(() => undefined)
    expect([delays, cancelled]).toEqual([[100], []])
    queue.clear()
    expect(cancelled).toEqual([100])
    await queue.onIdle()
  })

  it('waits for a time that is lost in the sum with an instant, after the clock was set back', () => {
    const clock = createAdjustableClock()
    // Room comes just after a boundary.
    const limiter = createLimiter(slidingWindowCounter({ limit: 1, windowMs: 100 }), { clock })
    const queue = createQueue({ limiter, clock })
    const starts: number[] = []
    const add = (): void => void queue.add(() => starts.push(Math.round(clock.wall())))
    add()
    clock.adjust(-1000)
    add()
    clock.advance(600)
    add()
    add()
    clock.advance(800)
    expect(starts).toEqual([0, 200, 600, 700])
    expect(clock.pending).toBe(0)
  })

  it('looks at most once a ms behind a waiting caller whose timer is late, after the clock was set forward', () => {
    const adjustable = createAdjustableClock()
    const { clock, delays } = recordTimers(adjustable)
    const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 2 }), { clock })
    const queue = createQueue({ limiter })
    const task = vi.fn()
    limiter.allow(2)
    void limiter.wait()
    adjustable.advance(900)
    adjustable.adjust(5000)
    void queue.add(task)
    adjustable.advance(99)
    expect(delays.length).toBeLessThanOrEqual(1 + 100)
    expect(task).not.toHaveBeenCalled()
    adjustable.advance(1)
    expect(task).toHaveBeenCalledOnce()
    expect(adjustable.pending).toBe(0)
  })

  it('a pause lasts until the last of several ends, regardless of resume', async () => {
    const { clock, queue, starts, add } = createLoggedQueue()
    queue.pauseFor(4000)
    queue.pauseFor(1000)
    queue.pause()
    add('task')
    await clock.advanceAsync(1050)
    queue.resume()
    expect(queue.snapshot()).toMatchObject({ isPaused: false, pausedUntil: 4000 })
    await clock.advanceAsync(3000)
    expect(starts).toEqual(['4000 task'])
    expect(queue.snapshot().pausedUntil).toBe(undefined)
  })

  it('ends a pause and a wait on time when the clock is set back meanwhile', async () => {
    const clock = createAdjustableClock(1e7)
    const queue = createQueue({ clock, concurrency: 1 })
    const log: string[] = []
    queue.pauseFor(1000)
    void queue.add(() => log.push('started'))
    queue.add(() => undefined, { priority: -1, timeoutMs: 1000 }).catch(() => log.push('too long'))
    clock.advance(500)
    clock.adjust(-3_600_000)
    clock.advance(499)
    expect(log).toEqual([])
    clock.advance(1)
    await settled()
    expect(log).toEqual(['started', 'too long'])
  })

  it.each<[faked: string, toFake: ('setTimeout' | 'clearTimeout' | 'performance')[]]>([
    ['timers alone', ['setTimeout', 'clearTimeout']],
    ['timers and the clock', ['setTimeout', 'clearTimeout', 'performance']],
  ])('works with fake timers that fake %s', (_, toFake) => {
    // Whole, because a fraction may make a sum of instants too long by a rounding, and the timer by 1 ms.
    const now = 12_345
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    vi.useFakeTimers({ toFake })
    const starts: number[] = []
    let fakeMs = 0
    const queue = createQueue({ limiter: createWaitingLimiter(drips) })
    for (let n = 0; n < 5; n++) void queue.add(() => starts.push(fakeMs))
    for (fakeMs = 1; fakeMs <= 1000; fakeMs++) vi.advanceTimersByTime(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(starts).toEqual(every100(0, 5))
  })

  it('refuses a task of a full queue for a time above 0 when the clock stands still', async () => {
    const clock = createTestClock()
    const still = { ...clock, now: () => 0 }
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 10, burst: 5, initial: 0 }), { clock: still })
    const queue = createQueue({ limiter, capacity: 1, clock: still })
    const addTwo = (): Promise<void> => {
      void queue.add(() => undefined)
      return queue.add(() => undefined)
    }
    const first = queue.add(addTwo, { cost: 3 })
    const refused = expect(first).rejects.toMatchObject({ code: 'queue-full', retryAfterMs: 1 })
    await clock.advanceAsync(1000)
    await refused
  })
})

it('as a leaky bucket, never starts two tasks closer than 1 / rate', async () => {
  await forAllAsync(
    100,
    recordsOf(30, { ms: fc.double({ min: 0, max: 300, noNaN: true }), count: fc.nat(4) }),
    fc.constantFrom(1 / 3, 0.7, 7, 9.99, 12_345.678),
    fc.constantFrom(0, 1e6, 2 ** 41),
    async (arrivals, ratePerSecond, startMs) => {
      const clock = createManualClock(startMs)
      const queue = createQueue({
        limiter: createLimiter(gcra({ ratePerSecond, burst: 1 }), { clock }),
        clock,
      })
      const starts: number[] = []
      let count = 0
      for (const arrival of arrivals) {
        for (let n = 0; n < arrival.count; n++) void queue.add(() => starts.push(clock.now()))
        count += arrival.count
        await clock.advanceAsync(arrival.ms)
      }
      await clock.advanceAsync((count * 1000) / ratePerSecond)
      expect(starts).toHaveLength(count)
      const periodMs = 1000 / ratePerSecond
      // Tolerance for the float64 rounding of instants of this size.
      const roundingMs = 1e-6 + startMs * 2 ** -50
      for (let n = 1; n < count; n++)
        expect(starts[n]! - starts[n - 1]!).toBeGreaterThanOrEqual(periodMs - roundingMs)
      expect(clock.pending).toBe(0)
    },
  )
})
