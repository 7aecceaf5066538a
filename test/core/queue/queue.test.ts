import { createLimiter, createQueue, gcra, tokenBucket, type Clock, type QueueTask } from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createChaosClock } from '../../chaos/chaos-clock.ts'
import { createTestClock } from '../time/clocks.ts'
import { createDeferred, settled, track, unhandledRejections } from '../shared/promises.ts'
import { createLimitedQueue, createLoggedQueue, names, whyOf } from './queue-log.ts'

// See queue-pace.test.ts for limiters, queue-order.test.ts for priority and overflow.

const never = (): Promise<never> => new Promise(() => undefined)

const bucket = tokenBucket({ ratePerSecond: 10, burst: 10 })
const drips = gcra({ ratePerSecond: 10, burst: 1 })

describe('a task', () => {
  it('may return a thenable', async () => {
    const thenable = { then: (resolve: (result: string) => void) => resolve('result') }
    expect(await createQueue().add(() => thenable as PromiseLike<string>)).toBe('result')
  })

  it.each<[options: object, Error]>([
    [{ priority: NaN }, new RangeError('Expected priority >= -Infinity, got NaN')],
    [{ cost: -1 }, new RangeError('Expected cost >= 0, got -1')],
    [{ cost: '1' }, new TypeError('Expected cost >= 0, not a string, got 1')],
    [{ cost: null }, new TypeError('Expected cost >= 0, got null')],
    [{ timeoutMs: -1 }, new RangeError('Expected timeoutMs >= 0, got -1')],
    [{ timeoutMs: NaN }, new RangeError('Expected timeoutMs >= 0, got NaN')],
    [{ weight: -1 }, new RangeError('Expected weight >= 0, got -1')],
    [{ weight: NaN }, new RangeError('Expected weight >= 0, got NaN')],
    [{ weight: 4 }, new RangeError('Expected finite weight <= concurrency, got 4')],
    [{ signal: AbortSignal.abort(new Error('gone')) }, new Error('gone')],
  ])('is rejected for %o', async (options, error) => {
    const task = vi.fn()
    const queue = createQueue({ concurrency: 3 })
    await expect(queue.add(task, options)).rejects.toEqual(error)
    expect([task.mock.calls.length, queue.snapshot().refused]).toEqual([0, 0])
  })

  it('of cost 0 takes nothing from the limiter', async () => {
    const { clock, limiter, starts, add } = createLimitedQueue(bucket)
    add('free', { cost: 0 })
    await settled()
    expect([starts, limiter.remaining(), clock.pending]).toEqual([['0 free'], 10, 0])
  })

  it.each([undefined, null, 'task'])('is rejected with a TypeError in production: %o', async (task) => {
    vi.stubEnv('NODE_ENV', 'production')
    const queue = createQueue({ concurrency: 1 })
    await expect(queue.add(task as never)).rejects.toThrow(TypeError)
    expect(queue.running).toBe(0)
  })

  it('causes an unhandled rejection only for its own error if its promise is ignored', async () => {
    const reasons = await unhandledRejections(async () => {
      const queue = createQueue({ concurrency: 1, capacity: 2, overflow: 'drop-oldest' })
      const controller = new AbortController()
      void queue.add(() => Promise.reject(new Error('own')))
      void queue.add(never, { signal: controller.signal })
      for (let n = 0; n < 3; n++) void queue.add(() => undefined)
      await settled()
      controller.abort()
      void queue.add(never)
      void queue.add(() => undefined)
      queue.clear()
      void queue.add(() => undefined)
      queue[Symbol.dispose]()
      void queue.add(() => undefined)
    })
    expect(reasons).toEqual([new Error('own')])
  })
})

it('many tasks can each add the next when they start, without recursion', async () => {
  const queue = createQueue()
  let runs = 0
  const task = (): void => {
    if (++runs < 20_000) void queue.add(task)
  }
  void queue.add(task)
  await queue.onIdle()
  expect(runs).toBe(20_000)
})

describe('aborting', () => {
  it('rejects a pending task in the same tick, with the reason', async () => {
    const { queue, add, starts } = createLoggedQueue({ concurrency: 1 })
    const running = createDeferred<undefined>()
    void queue.add(() => running.promise)
    const controller = new AbortController()
    const reason = { any: 'reason' }
    const task = vi.fn()
    const aborted = track(queue.add(task, { signal: controller.signal }))
    add('next')
    controller.abort(reason)
    expect(queue.size).toBe(1)
    await Promise.resolve()
    expect(aborted).toEqual({ state: 'rejected', error: reason })
    running.resolve(undefined)
    await settled()
    expect([task.mock.calls, starts]).toEqual([[], ['0 next']])
  })

  it('reaches a running task, which rejects at once and keeps its slot until it has ended', async () => {
    const queue = createQueue({ concurrency: 1 })
    const controller = new AbortController()
    const end = createDeferred<string>()
    let own: AbortSignal | undefined
    const run: QueueTask<string> = (signal) => {
      own = signal
      return end.promise
    }
    const task = track(queue.add(run, { signal: controller.signal }))
    const next = vi.fn()
    void queue.add(next)
    expect(own?.aborted).toBe(false)
    controller.abort('stop')
    expect(own?.reason).toBe('stop')
    await settled()
    expect(task).toEqual({ state: 'rejected', error: 'stop' })
    expect([queue.running, next.mock.calls.length]).toEqual([1, 0])
    end.reject(new Error('too late for anybody'))
    await settled()
    expect([task.error, queue.running, next.mock.calls.length]).toEqual(['stop', 0, 1])
  })

  it('by the task itself as it starts rejects it', async () => {
    const controller = new AbortController()
    const task = createQueue().add(() => controller.abort('own'), { signal: controller.signal })
    await expect(task).rejects.toBe('own')
  })

  it('starts no task with the same signal, however cheap', async () => {
    const { clock, limiter, queue, starts, ends, add } = createLimitedQueue(bucket)
    limiter.allow(9)
    const controller = new AbortController()
    const { signal } = controller
    queue.pause()
    for (const name of names(3)) add(name, { signal })
    add('dear', { signal, cost: 5, priority: 1 })
    add('other')
    queue.resume()
    controller.abort('stop')
    await clock.advanceAsync(0)
    expect(starts).toEqual(['0 other'])
    expect(ends.toSorted()).toEqual(['0 dear: stop', '0 n0: stop', '0 n1: stop', '0 n2: stop', '0 other'])
  })

  it.each(['signal', 'none'])('passes a signal to the task: %s given', async (given) => {
    const { signal } = new AbortController()
    const own = await createQueue().add((signal) => signal, given === 'signal' ? { signal } : {})
    expect(own).toBeInstanceOf(AbortSignal)
    expect(own === signal).toBe(given === 'signal')
  })

  // Fewer if they take it: it keeps the listeners that they leave on it.
  it.each<[number, QueueTask<AbortSignal>]>([
    [4, (signal) => signal],
    [32, (...args) => args[0]],
  ])('gives the same signal to %i tasks that have none', async (most, task) => {
    const queue = createQueue()
    const signals = await Promise.all(Array.from({ length: 320 }, () => queue.add(task)))
    expect(new Set(signals).size).toBe(320 / most)
  })
})

describe('timeoutMs', () => {
  it.each<[what: string, hold: (queue: ReturnType<typeof createLoggedQueue>) => void, retryAfterMs: number]>([
    ['the limiter', ({ add }) => add('first'), 1000],
    ['a pause', ({ queue }) => queue.pauseFor(2500), 2500],
  ])('rejects at once a task that cannot start in time because of %s', async (_, prepare, retryAfterMs) => {
    const logged = createLimitedQueue(gcra({ ratePerSecond: 1, burst: 1 }))
    logged.clock.advance(5000)
    prepare(logged)
    await settled()
    logged.ends.length = 0
    logged.add('task', { timeoutMs: 999 })
    await settled()
    expect(logged.ends).toEqual([`5000 task: wait-too-long, retry after ${retryAfterMs}`])
    expect(logged.queue.snapshot().refused).toBe(1)
    logged.queue.clear()
  })

  it('is met by a task whose turn comes at that instant, also if the queue was paused meanwhile', async () => {
    const { clock, queue, ends, add } = createLimitedQueue(drips)
    add('first')
    add('second', { timeoutMs: 100 })
    await clock.advanceAsync(50)
    queue.pause()
    queue.resume()
    await clock.advanceAsync(50)
    expect(ends).toEqual(['0 first', '100 second'])
    expect(queue.snapshot().refused).toBe(0)
  })

  it('applies also if the timer is late', async () => {
    const clock = createChaosClock(() => 0.5)
    const queue = createQueue({ limiter: createLimiter(drips, { clock }), clock })
    void queue.add(() => undefined)
    const second = track(queue.add(() => 'run', { timeoutMs: 100 }))
    clock.block(150)
    clock.pass(0).next()
    await settled()
    expect(whyOf(second.error)).toBe('wait-too-long')
  })

  it('of 0 starts a task that can start at once, also with a clock that moves between two readings', async () => {
    const manual = createTestClock()
    let readMs = 0
    const clock: Clock = { ...manual, now: () => manual.now() + (readMs += 0.01) }
    const limiter = createLimiter(drips, { clock })
    expect(await createQueue({ limiter, clock }).add(() => 'run', { timeoutMs: 0 })).toBe('run')
  })

  it('of an expensive task frees the cheap one behind it', async () => {
    const { clock, limiter, queue, starts, ends, add } = createLimitedQueue(bucket)
    limiter.allow(8)
    add('dear', { cost: 10, timeoutMs: 800, priority: 1 })
    // Another user of the limiter takes meanwhile.
    clock.advance(300)
    limiter.allow(4)
    add('cheap', { cost: 5 })
    await clock.advanceAsync(1000)
    expect(ends).toEqual(['800 dear: wait-too-long, retry after 400', '800 cheap'])
    expect(starts).toEqual(['800 cheap'])
    await queue.onIdle()
  })
})

it('a weight is finite, and the sum of all is 0 when nothing runs', async () => {
  const { clock, queue, starts, add } = createLoggedQueue({ concurrency: Infinity }, 100)
  await expect(queue.add(() => undefined, { weight: Infinity })).rejects.toThrow(RangeError)
  queue.configure({ concurrency: 5 })
  // Adding and subtracting these one by one leaves 1.7e-15.
  for (const weight of [0.8, 0.9, 0.7, 0.7, 0.9, 0.7]) add(`${weight}`, { weight })
  await clock.advanceAsync(100)
  for (const name of ['half', 'other half']) add(name, { weight: 2.5 })
  await clock.advanceAsync(1000)
  expect(starts.slice(-2)).toEqual(['100 half', '100 other half'])
})

describe('snapshot', () => {
  it('says whether the limiter delays the next task', async () => {
    const { clock, limiter, queue, add } = createLimitedQueue(drips, { concurrency: 2 }, 250)
    const seen: string[] = []
    queue.subscribe(() => {
      const { isLimited } = queue.snapshot()
      if (!seen.at(-1)?.endsWith(`${isLimited}`)) seen.push(`${clock.now()} ${isLimited}`)
    })
    // From 100 on the third waits for a slot, not for the limiter.
    for (const name of ['a', 'b', 'c']) add(name)
    await clock.advanceAsync(1000)
    expect(seen).toEqual(['0 false', '0 true', '100 false'])
    limiter.allow()
    add('d')
    queue.pause()
    expect(queue.snapshot().isLimited).toBe(false)
    queue.resume()
    expect(queue.snapshot().isLimited).toBe(true)
    await clock.advanceAsync(1000)
  })

  it('shows the queue, and is the same object as long as nothing changes', async () => {
    const queue = createQueue({ concurrency: 1, capacity: 2 })
    const empty = queue.snapshot()
    expect(empty).toEqual({
      size: 0,
      running: 0,
      concurrency: 1,
      capacity: 2,
      isPaused: false,
      isLimited: false,
      pausedUntil: undefined,
      started: 0,
      refused: 0,
    })
    expect(queue.snapshot()).toBe(empty)
    const end = createDeferred<undefined>()
    void queue.add(() => end.promise)
    for (let n = 0; n < 3; n++) void queue.add(() => undefined)
    expect(queue.snapshot()).toEqual({ ...empty, size: 2, running: 1, started: 1, refused: 1 })
    end.resolve(undefined)
    await queue.onIdle()
    expect(queue.snapshot()).toEqual({ ...empty, started: 3, refused: 1 })
    expect(Object.isFrozen(queue.snapshot())).toBe(true)
  })
})

it('throws for a bad pause, and rejects tasks once disposed of, with messages', async () => {
  const queue = createQueue({ clock: createTestClock() })
  expect(() => queue.pauseFor(-1)).toThrow(new RangeError('Expected ms >= 0, got -1'))
  queue[Symbol.dispose]()
  await expect(queue.add(never)).rejects.toMatchObject({
    code: 'disposed',
    message: 'Task refused: disposed',
  })
})

it.each(['abort', 'clear', 'pause', 'pauseFor'])('starts nothing once a listener calls %s', async (how) => {
  const clock = createTestClock()
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }), { clock })
  limiter.allow()
  const queue = createQueue({ limiter, clock })
  const controller = new AbortController()
  const run = vi.fn()
  queue.add(run, { signal: controller.signal }).catch(() => undefined)
  const stop = limiter.subscribe(() =>
    how === 'abort' ? controller.abort() : queue[how as 'clear' | 'pause' | 'pauseFor'](6000),
  )
  await clock.advanceAsync(5000)
  expect(run).not.toHaveBeenCalled()
  expect(queue.snapshot()).toMatchObject({ started: 0, size: Number(how.startsWith('pause')) })
  stop()
  queue.resume()
  await clock.advanceAsync(5000)
  expect(run).toHaveBeenCalledTimes(Number(how.startsWith('pause')))
})
