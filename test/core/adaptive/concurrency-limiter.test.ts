import {
  createConcurrencyLimiter,
  RateLimitError,
  type AdaptiveLimit,
  type ConcurrencyLimiterOptions,
  type Release,
} from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createAdjustableClock } from '../time/adjustable-clock.ts'
import { createTestClock, recordTimers } from '../time/clocks.ts'

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

describe('places', () => {
  it('are as many as the limit', () => {
    const { limiter } = setUp()
    const first = limiter.tryAcquire()
    expect(first).toBeTypeOf('function')
    expect(limiter.tryAcquire()).toBeTypeOf('function')
    expect(limiter.tryAcquire()).toBe(undefined)
    first!()
    expect(limiter.tryAcquire()).toBeTypeOf('function')
    expect(limiter.tryAcquire()).toBe(undefined)
  })

  it('are given back once', () => {
    const { limiter } = setUp()
    const first = limiter.tryAcquire()!
    limiter.tryAcquire()
    first()
    first()
    expect(limiter.snapshot().inFlight).toBe(1)
    limiter.tryAcquire()
    first()
    expect(limiter.tryAcquire()).toBe(undefined)
  })

  it('are without end if the limit is', () => {
    const { limiter } = setUp({ limit: Infinity })
    for (let n = 0; n < 1000; n++) expect(limiter.tryAcquire()).toBeTypeOf('function')
  })

  it('go to those who wait in the order they came', async () => {
    const { acquire, log, releases, settle } = setUp()
    for (const name of ['a', 'b', 'c', 'd', 'e']) void acquire(name)
    await settle()
    expect(log).toEqual(['a', 'b'])
    releases.get('b')!()
    await settle()
    expect(log).toEqual(['a', 'b', 'c'])
    releases.get('a')!()
    releases.get('c')!()
    await settle()
    expect(log).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('go to nobody who did not wait, while somebody does', async () => {
    const { limiter, acquire, log, settle } = setUp({ limit: 1 })
    const first = limiter.tryAcquire()!
    void acquire('waiting')
    first()
    // The place is taken already, though who waited has not yet heard of it.
    expect(limiter.tryAcquire()).toBe(undefined)
    expect(limiter.snapshot()).toMatchObject({ inFlight: 1, waiting: 0 })
    await settle()
    expect(log).toEqual(['waiting'])
  })

  it('go to nobody who asks while they are given to those who wait', async () => {
    const { limiter, acquire, log, settle } = setUp({ limit: 1 })
    limiter.tryAcquire()
    void limiter.run(() => log.push(`task, and ${typeof limiter.tryAcquire()}`))
    void acquire('a')
    limiter.configure({ limit: 3 })
    await settle()
    expect(log).toEqual(['task, and undefined', 'a'])
  })
})

describe('waiting', () => {
  it('ends in the tick in which the signal aborts, with its reason, and those behind move up', async () => {
    const { limiter, acquire, log, releases, settle } = setUp({ limit: 1 })
    void acquire('a')
    const controller = new AbortController()
    void acquire('b', { signal: controller.signal })
    void acquire('c')
    controller.abort('left')
    expect(limiter.snapshot()).toMatchObject({ waiting: 1, denied: 0 })
    await settle()
    expect(log).toEqual(['a', 'b: left'])
    releases.get('a')!()
    await settle()
    expect(log).toEqual(['a', 'b: left', 'c'])
    expect(limiter.snapshot()).toMatchObject({ inFlight: 1, waiting: 0, allowed: 2 })
  })

  it('does not begin with a signal that has aborted', async () => {
    const { limiter } = setUp()
    const reason = new Error('left')
    await expect(limiter.acquire({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, allowed: 0, denied: 0 })
  })

  it('takes no notice of an abort after it is over', async () => {
    const { limiter, acquire, log, releases, settle } = setUp({ limit: 1 })
    void acquire('a')
    const controller = new AbortController()
    void acquire('b', { signal: controller.signal })
    await settle()
    releases.get('a')!()
    controller.abort('left')
    await settle()
    expect(log).toEqual(['a', 'b'])
    expect(limiter.snapshot().inFlight).toBe(1)
  })

  it('ends after timeoutMs, not before, and those behind move up', async () => {
    const { clock, acquire, log, releases, settle } = setUp({ limit: 1 })
    void acquire('a')
    void acquire('b', { timeoutMs: 100 })
    void acquire('c', { timeoutMs: 50 })
    void acquire('d')
    await clock.advanceAsync(49)
    expect(log).toEqual(['a'])
    await clock.advanceAsync(1)
    expect(log).toEqual(['a', 'c: wait-too-long'])
    await clock.advanceAsync(50)
    expect(log).toEqual(['a', 'c: wait-too-long', 'b: wait-too-long'])
    releases.get('a')!()
    await settle()
    expect(log.at(-1)).toBe('d')
  })

  it('ends at once where timeoutMs is 0, but a free place is taken', async () => {
    const { limiter, acquire, log, settle } = setUp({ limit: 1 })
    void acquire('a', { timeoutMs: 0 })
    void acquire('b', { timeoutMs: 0 })
    await settle()
    expect(log).toEqual(['a', 'b: wait-too-long'])
    expect(limiter.snapshot()).toMatchObject({ waiting: 0, denied: 1 })
  })

  it('is for maxQueue at the most', async () => {
    const { limiter, acquire, log, settle } = setUp({ limit: 1, maxQueue: 1 })
    void acquire('a')
    void acquire('b')
    await expect(limiter.acquire()).rejects.toMatchObject({ code: 'queue-full', retryAfterMs: Infinity })
    void acquire('c')
    await settle()
    expect(log).toEqual(['a', 'c: queue-full'])
    expect(limiter.snapshot()).toMatchObject({ waiting: 1, denied: 2 })
  })

  it('is for nobody where maxQueue is 0', async () => {
    const { acquire, log, settle } = setUp({ limit: 1, maxQueue: 0 })
    void acquire('a')
    void acquire('b')
    await settle()
    expect(log).toEqual(['a', 'b: queue-full'])
  })

  it('keeps a timer for each that waits with a timeoutMs, and none for those who wait for ever', () => {
    const clock = createTestClock()
    const { clock: recording, delays } = recordTimers(clock)
    const { limiter, acquire } = setUp({ limit: 1, clock: recording })
    const release = limiter.tryAcquire()!
    void acquire('a')
    expect(clock.pending).toBe(0)
    for (const timeoutMs of [100, 200, 300]) void acquire('b', { timeoutMs })
    expect([clock.pending, delays]).toEqual([3, [100, 200, 300]])
    release()
    expect(clock.pending).toBe(3)
    limiter[Symbol.dispose]()
    expect(clock.pending).toBe(0)
  })

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

  it('lets thousands leave from the middle, in any order, and the rest keep theirs', async () => {
    const { limiter, settle } = setUp({ limit: 1 })
    const release = limiter.tryAcquire()!
    const count = 5_000
    const controllers = Array.from({ length: count }, () => new AbortController())
    const went: number[] = []
    let left = 0
    for (const [n, { signal }] of controllers.entries())
      limiter.acquire({ signal, timeoutMs: 1e6 - n }).then(
        () => went.push(n),
        () => left++,
      )
    for (let n = 0; n < count; n++) {
      const place = (n * 7919) % count
      if (place % 100 > 0) controllers[place]!.abort()
    }
    await settle()
    expect([left, limiter.snapshot().waiting]).toEqual([count * 0.99, count / 100])
    release()
    limiter.configure({ limit: Infinity })
    await settle()
    expect(went).toEqual(Array.from({ length: count / 100 }, (_, index) => index * 100))
  })

  it('ends for thousands who share a signal', async () => {
    const { limiter, settle } = setUp({ limit: 1 })
    limiter.tryAcquire()
    const controller = new AbortController()
    const { signal } = controller
    const add = vi.spyOn(signal, 'addEventListener')
    let left = 0
    for (let n = 0; n < 5_000; n++) limiter.acquire({ signal }).catch(() => left++)
    controller.abort()
    await settle()
    expect([left, limiter.snapshot().waiting, add.mock.calls.length]).toEqual([5_000, 0, 1])
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

  it('keeps as many going as the limit, in the order they came', async () => {
    const { clock, limiter, log } = setUp()
    const ends = ['a', 'b', 'c', 'd', 'e'].map((name, index) =>
      limiter.run(async () => {
        log.push(`${name} at ${clock.now()}`)
        await new Promise<void>((resolve) => clock.after(10 * (index + 1), resolve))
      }),
    )
    await clock.advanceAsync(200)
    await Promise.all(ends)
    expect(log).toEqual(['a at 0', 'b at 0', 'c at 10', 'd at 20', 'e at 40'])
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

  it('rejects as acquire does', async () => {
    const { clock, limiter } = setUp({ limit: 1, maxQueue: 1 })
    limiter.tryAcquire()
    const result = limiter.run(never, { timeoutMs: 30 })
    await expect(limiter.run(never)).rejects.toMatchObject({ code: 'queue-full' })
    clock.advance(30)
    await expect(result).rejects.toMatchObject({ code: 'wait-too-long' })
  })

  it('lets a task run others', async () => {
    const { limiter, settle } = setUp({ limit: 2 })
    const inner: Promise<number>[] = []
    const outer = limiter.run(() => {
      for (let n = 0; n < 3; n++) inner.push(limiter.run(() => n))
      return 'outer'
    })
    expect(limiter.snapshot()).toMatchObject({ inFlight: 2, waiting: 2 })
    await expect(outer).resolves.toBe('outer')
    await expect(Promise.all(inner)).resolves.toEqual([0, 1, 2])
    await settle()
    expect(limiter.snapshot()).toMatchObject({ inFlight: 0, waiting: 0 })
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

  it('are the same object as long as nothing changed', () => {
    const { limiter } = setUp()
    const before = limiter.snapshot()
    expect(Object.isFrozen(before)).toBe(true)
    expect(limiter.snapshot()).toBe(before)
    limiter.tryAcquire()
    expect(limiter.snapshot()).not.toBe(before)
  })

  it('let a listener call in turn', async () => {
    const { limiter, acquire, log, settle } = setUp({ limit: 1 })
    const release = limiter.tryAcquire()!
    const unsubscribe = limiter.subscribe(() => {
      unsubscribe()
      void acquire('from inside')
    })
    void acquire('a')
    release()
    await settle()
    expect(log).toEqual(['a'])
    expect(limiter.snapshot()).toMatchObject({ inFlight: 1, waiting: 1 })
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

it.each([
  [{ limit: 0 }, 'limit', '0'],
  [{ limit: NaN }, 'limit', 'NaN'],
  [{ limit: recordingLimit(0).limit }, 'limit', '0'],
  [{ limit: 1, maxQueue: -1 }, 'maxQueue', '-1'],
  [{ limit: 1, maxQueue: NaN }, 'maxQueue', 'NaN'],
])('refuses %o, naming the option and the value', (options, name, value) => {
  expect(() => createConcurrencyLimiter(options)).toThrow(RangeError)
  expect(() => createConcurrencyLimiter(options)).toThrow(new RegExp(`\\b${name}\\b.*${value}`))
})
