import {
  createConcurrencyLimiter,
  RateLimitError,
  type AdaptiveLimit,
  type ConcurrencyLimiterOptions,
  type Release,
} from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createAdjustableClock } from '../time/adjustable-clock.ts'
import { createTestClock } from '../time/clocks.ts'

// Laws are in concurrency-limiter-laws.test.ts, what a limit learns in gradient-limit.test.ts.

function setUp(options: Partial<ConcurrencyLimiterOptions> = {}) {
  const clock = createTestClock()
  const limiter = createConcurrencyLimiter({ limit: 2, clock, ...options })
  /** Acquires, and notes under `name` what comes of it. */
  const log: string[] = []
  const releases = new Map<string, Release>()
  const acquire = (name: string, ...rest: Parameters<typeof limiter.acquire>) =>
    limiter.acquire(...rest).then(
      (release) => {
        log.push(name)
        releases.set(name, release)
      },
      (error: unknown) =>
        log.push(`${name}: ${error instanceof RateLimitError ? error.code : String(error)}`),
    )
  /** Lets promise continuations run. */
  const settle = async () => {
    for (let n = 0; n < 10; n++) await Promise.resolve()
  }
  return { clock, limiter, acquire, log, releases, settle }
}

function deferred<Result>() {
  let settle!: { resolve: (result: Result) => void; reject: (error: unknown) => void }
  const promise = new Promise<Result>((resolve, reject) => (settle = { resolve, reject }))
  return { promise, ...settle }
}

const never = (): Promise<never> => new Promise(() => undefined)

/** A limit of 1 that notes what it is told. */
function recordingLimit(current = 1) {
  const told: unknown[] = []
  const limit: AdaptiveLimit & { current: number } = {
    current,
    started(inFlight, startedAt) {
      return (outcome, now) => told.push([inFlight, now - startedAt, outcome])
    },
  }
  return { limit, told }
}

describe('waiting', () => {
  it.each([-5000, 5000])('is no longer if the clock is adjusted by %s ms', async (ms) => {
    const clock = createAdjustableClock(10_000)
    const { acquire, log, settle } = setUp({ limit: 1, clock })
    void acquire('a')
    void acquire('b', { timeoutMs: 100 })
    void acquire('c', { timeoutMs: 20_000 })
    clock.advance(50)
    clock.adjust(ms)
    clock.advance(50)
    await settle()
    expect(log).toEqual(['a', 'b: wait-too-long'])
    clock.advance(20_000)
    await settle()
    expect(log).toEqual(['a', 'b: wait-too-long', 'c: wait-too-long'])
  })

  it('rejects for a bad timeoutMs, naming it', async () => {
    const { limiter } = setUp()
    await expect(limiter.acquire({ timeoutMs: -1 })).rejects.toThrow(RangeError)
    await expect(limiter.acquire({ timeoutMs: NaN })).rejects.toThrow(/timeoutMs.*NaN/)
    await expect(limiter.run(never, { timeoutMs: -1 })).rejects.toThrow(/timeoutMs.*-1/)
    expect(limiter.snapshot().inFlight).toBe(0)
  })
})

describe('run', () => {
  it('begins in this tick if there is a place, and settles as the task does', async () => {
    const { limiter } = setUp()
    const task = vi.fn(async () => Promise.resolve(5))
    const result = limiter.run(task)
    expect(task.mock.calls).toEqual([[undefined]])
    await expect(result).resolves.toBe(5)
    const error = new Error('bad')
    await expect(limiter.run(() => Promise.reject(error))).rejects.toBe(error)
    await expect(
      limiter.run(() => {
        throw error
      }),
    ).rejects.toBe(error)
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, allowed: 3 })
  })

  it('gives its place back before whoever waits for it goes on', async () => {
    const { limiter } = setUp()
    await limiter.run(() => 5)
    expect(limiter.snapshot().inFlight).toBe(0)
  })

  it('rejects with the reason while it waits, and the task never begins', async () => {
    const { limiter } = setUp({ limit: 1 })
    const release = limiter.tryAcquire()!
    const controller = new AbortController()
    const task = vi.fn()
    const result = limiter.run(task, { signal: controller.signal })
    controller.abort('left')
    await expect(result).rejects.toBe('left')
    release()
    await expect(limiter.run(task, { signal: controller.signal })).rejects.toBe('left')
    expect(task).not.toHaveBeenCalled()
    expect(limiter.snapshot().inFlight).toBe(0)
  })

  it('rejects with the reason while the task goes on, which keeps its place until it has settled', async () => {
    const { limiter, settle } = setUp({ limit: 1 })
    const controller = new AbortController()
    const { promise, reject } = deferred<never>()
    const task = vi.fn<(signal?: AbortSignal) => Promise<never>>(() => promise)
    const result = limiter.run(task, { signal: controller.signal })
    expect(task.mock.calls).toEqual([[controller.signal]])
    controller.abort('left')
    await expect(result).rejects.toBe('left')
    expect(limiter.snapshot().inFlight).toBe(1)
    reject(new Error('late'))
    await settle()
    expect(limiter.snapshot().inFlight).toBe(0)
  })
})

describe('configure', () => {
  it('lets those go for whom there is a place now', async () => {
    const { limiter, acquire, log, settle } = setUp({ limit: 1 })
    for (const name of ['a', 'b', 'c', 'd']) void acquire(name)
    limiter.configure({ limit: 3 })
    expect(limiter.snapshot()).toMatchObject({ limit: 3, inFlight: 3, waiting: 1 })
    await settle()
    expect(log).toEqual(['a', 'b', 'c'])
  })

  it('lets what is in flight go on with a lower limit', () => {
    const { limiter } = setUp({ limit: 3 })
    const releases = [1, 2, 3].map(() => limiter.tryAcquire()!)
    limiter.configure({ limit: 1 })
    expect(limiter.snapshot()).toMatchObject({ limit: 1, inFlight: 3 })
    releases[0]!()
    releases[1]!()
    expect(limiter.tryAcquire()).toBe(undefined)
    releases[2]!()
    expect(limiter.tryAcquire()).toBeTypeOf('function')
  })

  it('leaves as it is what is absent or undefined', async () => {
    const { limiter, acquire, log, settle } = setUp({ limit: 1, maxQueue: 1 })
    limiter.configure({})
    limiter.configure({ limit: undefined, maxQueue: undefined })
    for (const name of ['a', 'b', 'c']) void acquire(name)
    await settle()
    expect(log).toEqual(['a', 'c: queue-full'])
  })

  it('keeps those who wait already when fewer may', async () => {
    const { limiter, acquire, log, settle } = setUp({ limit: 1 })
    for (const name of ['a', 'b', 'c']) void acquire(name)
    limiter.configure({ maxQueue: 1 })
    void acquire('d')
    limiter.configure({ limit: 9 })
    await settle()
    expect(log.sort()).toEqual(['a', 'b', 'c', 'd: queue-full'])
  })

  it('changes nothing if it throws', () => {
    const { limiter } = setUp()
    expect(() => limiter.configure({ limit: 5, maxQueue: -1 })).toThrow(/maxQueue.*-1/)
    expect(limiter.snapshot().limit).toBe(2)
  })

  it('takes a limit that adapts, which hears of the calls that begin after', () => {
    const { clock, limiter } = setUp({ limit: 5 })
    const { limit, told } = recordingLimit(4)
    const before = limiter.tryAcquire()!
    limiter.configure({ limit })
    const after = limiter.tryAcquire()!
    expect(limiter.snapshot().limit).toBe(4)
    clock.advance(20)
    before()
    limiter.configure({ limit: 5 })
    after()
    expect(told).toEqual([[2, 20, 'success']])
  })
})

describe('a limit that adapts', () => {
  it('is told of each call how many were in flight, how long it took and what came of it', async () => {
    const { limit, told } = recordingLimit(3)
    const { clock, limiter, settle } = setUp({ limit })
    const a = limiter.tryAcquire()!
    clock.advance(10)
    const b = limiter.tryAcquire()!
    a()
    a('failure')
    clock.advance(5)
    b('failure')
    expect(told).toEqual([
      [1, 10, 'success'],
      [2, 5, 'failure'],
    ])
    const task = deferred<undefined>()
    void limiter.run(() => task.promise)
    clock.advance(7)
    task.resolve(undefined)
    await settle()
    limiter.run(() => Promise.reject(new Error('bad'))).catch(() => undefined)
    await settle()
    expect(told.slice(2)).toEqual([
      [1, 7, 'success'],
      [1, 0, 'failure'],
    ])
  })

  it.each([
    ['an abort', new DOMException('left', 'AbortError'), 'neutral'],
    ['a timeout', new DOMException('too long', 'TimeoutError'), 'failure'],
  ])('is told of %s what it says', async (_, reason, outcome) => {
    const { limit, told } = recordingLimit()
    const { limiter, settle } = setUp({ limit })
    const controller = new AbortController()
    const { promise, reject } = deferred<never>()
    limiter.run(() => promise, { signal: controller.signal }).catch(() => undefined)
    controller.abort(reason)
    reject(new Error('late'))
    await settle()
    expect(told).toEqual([[1, 0, outcome]])
  })

  it('does not count the time that a call waits for its place', async () => {
    const { limit, told } = recordingLimit()
    const { clock, acquire, releases, settle } = setUp({ limit })
    void acquire('a')
    void acquire('b')
    await settle()
    clock.advance(100)
    releases.get('a')!()
    await settle()
    clock.advance(3)
    releases.get('b')!()
    expect(told).toEqual([
      [1, 100, 'success'],
      [1, 3, 'success'],
    ])
  })

  it('counts no time below 0 when the clock is set back', () => {
    const { limit, told } = recordingLimit()
    const clock = createAdjustableClock()
    const { limiter } = setUp({ limit, clock })
    const release = limiter.tryAcquire()!
    clock.adjust(-1000)
    release()
    expect(told).toEqual([[1, 0, 'success']])
  })

  it('lets those who wait go when it has risen', async () => {
    const { limit } = recordingLimit()
    const { acquire, log, releases, settle } = setUp({ limit })
    for (const name of ['a', 'b', 'c', 'd']) void acquire(name)
    await settle()
    limit.current = 3
    releases.get('a')!()
    await settle()
    expect(log).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('snapshot and listeners', () => {
  it('tell what happens', async () => {
    const { limiter, acquire, settle } = setUp({ limit: 1 })
    const seen: unknown[] = []
    const unsubscribe = limiter.subscribe(() => seen.push(Object.values(limiter.snapshot())))
    const release = limiter.tryAcquire()!
    limiter.tryAcquire()
    void acquire('a')
    release()
    await settle()
    expect(seen).toEqual([
      [1, 1, 0, 1, 0],
      [1, 1, 0, 1, 1],
      [1, 1, 1, 1, 1],
      [1, 1, 0, 2, 1],
    ])
    expect(Object.keys(limiter.snapshot())).toEqual(['limit', 'inFlight', 'waiting', 'allowed', 'denied'])
    unsubscribe()
    limiter.tryAcquire()
    expect(seen).toHaveLength(4)
  })
})

describe('disposal', () => {
  it('rejects those who wait, now and later, and leaves no timer', async () => {
    const { clock, limiter, acquire, log, settle } = setUp({ limit: 1 })
    const release = limiter.tryAcquire()!
    void acquire('a')
    void acquire('b', { timeoutMs: 100 })
    limiter[Symbol.dispose]()
    limiter[Symbol.dispose]()
    expect(clock.pending).toBe(0)
    release()
    void acquire('c')
    await expect(limiter.run(never)).rejects.toMatchObject({
      code: 'disposed',
      message: 'Not waited for: disposed',
      retryAfterMs: Infinity,
    })
    await settle()
    expect(log).toEqual(['a: disposed', 'b: disposed', 'c: disposed'])
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, waiting: 0 })
  })

  it('lets what is in flight go on, and answers who does not wait', async () => {
    const { limiter } = setUp({ limit: 1 })
    const { promise, resolve } = deferred<number>()
    const result = limiter.run(() => promise)
    limiter[Symbol.dispose]()
    expect(limiter.tryAcquire()).toBe(undefined)
    resolve(5)
    await expect(result).resolves.toBe(5)
    expect(limiter.tryAcquire()).toBeTypeOf('function')
  })
})
