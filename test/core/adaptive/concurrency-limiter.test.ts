import {
  createConcurrencyLimiter,
  RateLimitError,
  type AdaptiveLimit,
  type ConcurrencyLimiterOptions,
} from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createDeferred, settled } from '../shared/promises.ts'
import { createAdjustableClock, createTestClock } from '../time/clocks.ts'

// See concurrency-limiter-laws.test.ts for its laws, gradient-limit.test.ts for how a limit adapts.

function setUp(options: Partial<ConcurrencyLimiterOptions> = {}) {
  const clock = createTestClock()
  const limiter = createConcurrencyLimiter({ limit: 2, clock, ...options })
  /** Acquires, and logs the outcome under `name`. */
  const log: string[] = []
  const acquire = (name: string, ...rest: Parameters<typeof limiter.acquire>) =>
    limiter.acquire(...rest).then(
      () => log.push(name),
      (error: unknown) =>
        log.push(`${name}: ${error instanceof RateLimitError ? error.code : String(error)}`),
    )
  return { clock, limiter, acquire, log }
}

const never = (): Promise<never> => new Promise(() => undefined)

/** A limit of 1 that records each call. */
function recordingLimit() {
  const told: unknown[] = []
  const limit: AdaptiveLimit = {
    current: 1,
    started(inFlight, startedAt) {
      return (outcome, now) => told.push([inFlight, now - startedAt, outcome])
    },
  }
  return { limit, told }
}

it('rejects for a bad timeoutMs, naming it', async () => {
  const { limiter } = setUp()
  await expect(limiter.acquire({ timeoutMs: -1 })).rejects.toThrow(RangeError)
  await expect(limiter.acquire({ timeoutMs: NaN })).rejects.toThrow(/timeoutMs.*NaN/)
  await expect(limiter.run(never, { timeoutMs: -1 })).rejects.toThrow(/timeoutMs.*-1/)
  expect(limiter.snapshot().inFlight).toBe(0)
})
describe('run', () => {
  it('frees its slot before its promise settles', async () => {
    const { limiter } = setUp()
    await limiter.run(() => 5)
    expect(limiter.snapshot().inFlight).toBe(0)
  })

  it('rejects with the reason; the task keeps its slot until it has settled', async () => {
    const { limiter } = setUp({ limit: 1 })
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
    const { limiter } = setUp({ limit })
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
    const { limiter } = setUp({ limit, clock })
    const release = limiter.tryAcquire()!
    clock.adjust(-1000)
    release()
    expect(told).toEqual([[1, 0, 'success']])
  })
})

it('disposal rejects all waiting calls, even if a listener makes room meanwhile', async () => {
  const { limiter, acquire, log } = setUp({ limit: 1 })
  for (const name of ['a', 'b', 'c']) void acquire(name)
  const stop = limiter.subscribe(() => {
    stop()
    limiter.configure({ limit: 3 })
  })
  limiter[Symbol.dispose]()
  await settled()
  expect(log).toEqual(['a', 'b: disposed', 'c: disposed'])
  expect(limiter.snapshot()).toMatchObject({ allowed: 1, denied: 2 })
})

it('run rejects after disposal', async () => {
  const { limiter } = setUp()
  limiter[Symbol.dispose]()
  const error = { code: 'disposed', message: 'Wait refused: disposed', retryAfterMs: Infinity }
  await expect(limiter.run(never)).rejects.toMatchObject(error)
})
