import fc from 'fast-check'
import {
  createConcurrencyLimiter,
  RateLimitError,
  type AdaptiveLimit,
  type ConcurrencyLimiterOptions,
  type Release,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { orNot, scriptsOf } from '../../laws/steps.ts'
import { forAllAsync } from '../../laws/tries.ts'
import { createDeferred, settled, track } from '../shared/promises.ts'
import { createAdjustableClock, createTestClock } from '../time/clocks.ts'

// See gradient-limit.test.ts for how a limit adapts.

const setUp = (options: Partial<ConcurrencyLimiterOptions> = {}) =>
  createConcurrencyLimiter({ limit: 2, clock: createTestClock(), ...options })

const never = (): Promise<never> => new Promise(() => undefined)

/** A limit of 1 that records each call. */
function recordingLimit() {
  const told: unknown[] = []
  const limit: AdaptiveLimit = {
    current: 1,
    started: (inFlight, startedAt) => (outcome, now) => told.push([inFlight, now - startedAt, outcome]),
  }
  return { limit, told }
}

it('rejects for a bad timeoutMs, naming it', async () => {
  const limiter = setUp()
  await expect(limiter.acquire({ timeoutMs: -1 })).rejects.toThrow(RangeError)
  await expect(limiter.acquire({ timeoutMs: NaN })).rejects.toThrow(/timeoutMs.*NaN/)
  await expect(limiter.run(never, { timeoutMs: -1 })).rejects.toThrow(/timeoutMs.*-1/)
  expect(limiter.snapshot().inFlight).toBe(0)
})

describe('run', () => {
  it('lets nothing that a starting task calls overtake those that wait', async () => {
    const limiter = setUp({ limit: 1 })
    limiter.tryAcquire()
    const overtakers = [1, 2].map(() => limiter.run(() => limiter.tryAcquire()))
    limiter.configure({ limit: 3 })
    expect(await Promise.all(overtakers)).toEqual([undefined, undefined])
  })

  it('frees its slot before its promise settles', async () => {
    const limiter = setUp()
    await limiter.run(() => 5)
    expect(limiter.snapshot().inFlight).toBe(0)
  })

  it('rejects with the reason; the task keeps its slot until it has settled', async () => {
    const limiter = setUp({ limit: 1 })
    const controller = new AbortController()
    const { promise, reject } = createDeferred<never>()
    const task = vi.fn<(signal?: AbortSignal) => Promise<never>>(() => promise)
    const result = limiter.run(task, { signal: controller.signal })
    expect(task.mock.calls).toEqual([[controller.signal]])
    controller.abort('left')
    await expect(result).rejects.toBe('left')
    expect(limiter.snapshot().inFlight).toBe(1)
    reject(new Error('late'))
    await settled()
    expect(limiter.snapshot().inFlight).toBe(0)
  })
})

describe('a limit that adapts', () => {
  it.each([
    ['an abort', new DOMException('left', 'AbortError'), 'neutral'],
    ['a timeout', new DOMException('too long', 'TimeoutError'), 'failure'],
  ])('maps %s to its outcome', async (_, reason, outcome) => {
    const { limit, told } = recordingLimit()
    const limiter = setUp({ limit })
    const controller = new AbortController()
    const { promise, reject } = createDeferred<never>()
    limiter.run(() => promise, { signal: controller.signal }).catch(() => undefined)
    controller.abort(reason)
    reject(new Error('late'))
    await settled()
    expect(told).toEqual([[1, 0, outcome]])
  })

  it('reports no negative time when the clock is set back', () => {
    const { limit, told } = recordingLimit()
    const clock = createAdjustableClock()
    const limiter = setUp({ limit, clock })
    const release = limiter.tryAcquire()!
    clock.adjust(-1000)
    release()
    expect(told).toEqual([[1, 0, 'success']])
  })
})

it('disposal rejects all waiting calls, even if a listener makes room meanwhile, and calls to run', async () => {
  const limiter = setUp({ limit: 1 })
  const waits = [1, 2, 3].map(() => track(limiter.acquire()))
  const stop = limiter.subscribe(() => {
    stop()
    limiter.configure({ limit: 3 })
  })
  limiter[Symbol.dispose]()
  await settled()
  const error = { code: 'disposed', message: 'Wait refused: disposed', retryAfterMs: Infinity }
  expect(waits).toMatchObject([{ state: 'resolved' }, { error }, { error }])
  expect(limiter.snapshot()).toMatchObject({ allowed: 1, denied: 2 })
  await expect(limiter.run(never)).rejects.toMatchObject(error)
})

// Fractions are rounded down.
const limits = fc.constantFrom(1, 1, 2.5, 3, 5, Infinity)
const queues = fc.constantFrom(0, 1.5, 3, Infinity)

const steps = scriptsOf(60, {
  acquire: [8, { timeoutMs: fc.constantFrom(Infinity, Infinity, 0, 5, 20, 100) }],
  tryAcquire: 2,
  // `which`: the number, from the first.
  release: [6, { which: fc.nat(30) }],
  abort: [4, { which: fc.nat(30) }],
  advance: [4, { ms: fc.constantFrom(0, 1, 5, 20, 60) }],
  configure: [2, { limit: orNot(limits), maxQueue: orNot(queues) }],
  dispose: 1,
})

/** A limiter by its contract, with lists that are searched from the start. */
function createModel(limit: number, maxQueue: number) {
  let now = 0
  let isDisposed = false
  let allowed = 0
  let denied = 0
  const held = new Set<number>()
  let waiting: { id: number; deadline: number }[] = []
  // The outcome of each call.
  const fates: string[] = []

  function refuse(id: number, why: string): void {
    fates[id] = why
    denied++
  }

  function admit(id: number): void {
    held.add(id)
    fates[id] = 'held'
    allowed++
  }

  function serve(): void {
    while (waiting.length > 0 && held.size + 1 <= limit) admit(waiting.shift()!.id)
  }

  return {
    fates,
    timers: () => waiting.filter(({ deadline }) => deadline < Infinity).length,
    counts: () => ({ limit, inFlight: held.size, waiting: waiting.length, allowed, denied }),
    acquire(id: number, timeoutMs: number) {
      if (isDisposed) refuse(id, 'disposed')
      else if (waiting.length === 0 && held.size + 1 <= limit) admit(id)
      else if (waiting.length + 1 > maxQueue) refuse(id, 'queue-full')
      else if (timeoutMs === 0) refuse(id, 'wait-too-long')
      else {
        fates[id] = 'waiting'
        waiting.push({ id, deadline: now + timeoutMs })
      }
    },
    tryAcquire(id: number) {
      if (waiting.length === 0 && held.size + 1 <= limit) admit(id)
      else refuse(id, 'refused')
    },
    release(id: number) {
      held.delete(id)
      serve()
    },
    abort(id: number) {
      if (fates[id] === 'waiting') fates[id] = `aborted ${id}`
      waiting = waiting.filter((waiter) => waiter.id !== id)
    },
    advance(ms: number) {
      now += ms
      for (const { id, deadline } of waiting) if (deadline <= now) refuse(id, 'wait-too-long')
      waiting = waiting.filter(({ deadline }) => deadline > now)
    },
    configure(newLimit = limit, newMaxQueue = maxQueue) {
      limit = newLimit
      maxQueue = newMaxQueue
      serve()
    },
    dispose() {
      isDisposed = true
      for (const { id } of waiting.splice(0)) refuse(id, 'disposed')
    },
  }
}

it('keeps its contract in random scripts, and settles each promise once', async () => {
  await forAllAsync(1000, limits, queues, steps, async (limit, maxQueue, script) => {
    const clock = createManualClock(1000)
    const limiter = createConcurrencyLimiter({ limit, maxQueue, clock })
    const model = createModel(limit, maxQueue)
    const fates: string[] = []
    const releases: [id: number, release: Release][] = []
    const controllers: [id: number, controller: AbortController][] = []
    let ids = 0

    for (const step of script) {
      if (step.do === 'acquire') {
        const id = ids++
        const controller = new AbortController()
        controllers.push([id, controller])
        fates[id] = 'waiting'
        limiter.acquire({ signal: controller.signal, timeoutMs: step.timeoutMs }).then(
          (release) => {
            fates[id] = fates[id] === 'waiting' ? 'held' : 'settled twice'
            releases.push([id, release])
          },
          (error: unknown) => (fates[id] = error instanceof RateLimitError ? error.code : String(error)),
        )
        model.acquire(id, step.timeoutMs)
      } else if (step.do === 'tryAcquire') {
        const id = ids++
        const release = limiter.tryAcquire()
        if (release) releases.push([id, release])
        fates[id] = release ? 'held' : 'refused'
        model.tryAcquire(id)
      } else if (step.do === 'release') {
        // Possibly one that has been released before.
        const [id, release] = releases[step.which] ?? []
        release?.()
        if (id !== undefined) model.release(id)
      } else if (step.do === 'abort') {
        // Possibly one that no longer waits.
        const [id, controller] = controllers[step.which] ?? []
        controller?.abort(`aborted ${id!}`)
        if (id !== undefined) model.abort(id)
      } else if (step.do === 'advance') {
        clock.advance(step.ms)
        model.advance(step.ms)
      } else if (step.do === 'configure') {
        limiter.configure(step)
        model.configure(step.limit, step.maxQueue)
      } else {
        limiter[Symbol.dispose]()
        model.dispose()
      }
      expect(limiter.snapshot()).toEqual(model.counts())
      expect(clock.pending).toBe(model.timers())
      await settled()
      expect(fates).toEqual(model.fates)
    }
  })
})
