import { createCircuitBreaker, type CircuitBreakerOptions, type CircuitEvent } from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createDeferred } from '../shared/promises.ts'
import { createAdjustableClock, createTestClock } from '../time/clocks.ts'

// See circuit-breaker-laws.test.ts for its laws.

const SMALL = { failureRatio: 0.5, minimumCalls: 4, windowMs: 1000, openMs: 500 }

function setUp(options: CircuitBreakerOptions = {}) {
  const clock = createAdjustableClock()
  const events: CircuitEvent[] = []
  const onEvent = (event: CircuitEvent): unknown => events.push(event)
  const breaker = createCircuitBreaker({ ...SMALL, clock, onEvent, ...options })
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) breaker.failure(breaker.decide().ticket)
  }
  return { clock, breaker, events, fail }
}

/** A breaker that has just opened. */
function setUpOpen(options: CircuitBreakerOptions = {}) {
  const all = setUp(options)
  all.fail(all.breaker.snapshot().calls + (options.minimumCalls ?? SMALL.minimumCalls))
  expect(all.breaker.state).toBe('open')
  return all
}

it('opens by default when half of ten calls in ten seconds have failed, for ten seconds', () => {
  const clock = createTestClock()
  const breaker = createCircuitBreaker({ clock })
  for (let n = 0; n < 5; n++) breaker.success()
  for (let n = 0; n < 4; n++) breaker.failure()
  clock.advance(9999)
  expect([breaker.state, breaker.snapshot().calls]).toEqual(['closed', 9])
  breaker.failure()
  expect(breaker.peek()).toEqual({ allowed: false, retryAfterMs: 10_000 })
})
describe('run', () => {
  it('starts in this tick, and settles as the task does', async () => {
    const { breaker } = setUp()
    const task = vi.fn(async () => Promise.resolve(5))
    const result = breaker.run(task)
    expect(task.mock.calls).toEqual([[undefined]])
    await expect(result).resolves.toBe(5)
    const error = new Error('bad')
    const fail = (): never => {
      throw error
    }
    await expect(breaker.run(() => Promise.reject(error))).rejects.toBe(error)
    await expect(breaker.run(fail)).rejects.toBe(error)
    expect(breaker.snapshot()).toMatchObject({ calls: 3, failures: 2, allowed: 3 })
  })

  it('rejects at once when the signal aborts, and releases the probe', async () => {
    const { breaker, clock } = setUpOpen()
    clock.advance(500)
    const controller = new AbortController()
    const { promise, reject } = createDeferred<never>()
    const task = vi.fn<(signal?: AbortSignal) => Promise<never>>(() => promise)
    const probing = breaker.run(task, { signal: controller.signal })
    expect(task.mock.calls).toEqual([[controller.signal]])
    const reason = new Error('left')
    controller.abort(reason)
    await expect(probing).rejects.toBe(reason)
    expect(breaker.snapshot()).toMatchObject({ state: 'half-open' })
    expect(breaker.allow()).toBe(true)
    reject(new Error('late'))
    await Promise.resolve()
    expect(breaker.state).toBe('half-open')
  })

  it('rejects without a start while the circuit is open', async () => {
    const { breaker, clock } = setUpOpen()
    clock.advance(100)
    const task = vi.fn()
    const [name, code, message] = ['RateLimitError', 'circuit-open', 'Call refused: circuit-open']
    const error = { name, code, message, retryAfterMs: 400 }
    await expect(breaker.run(task)).rejects.toMatchObject(error)
    expect(task).not.toHaveBeenCalled()
  })
})

it('the snapshot shows the state, its end and the counts', () => {
  const { breaker, clock } = setUp()
  const none = { calls: 0, failures: 0, allowed: 0, denied: 0 }
  expect(breaker.snapshot()).toEqual({ state: 'closed', until: undefined, ...none })
  breaker.allow()
  breaker.success()
  clock.advance(30)
  for (let n = 0; n < 3; n++) breaker.failure()
  breaker.allow()
  const counts = { calls: 4, failures: 3, allowed: 1, denied: 1 }
  expect(breaker.snapshot()).toEqual({ state: 'open', until: 530, ...counts })
  clock.advance(500)
  expect(breaker.snapshot()).toMatchObject({ state: 'half-open', until: undefined })
})
it('listeners and events are called for each change of state', () => {
  const { breaker, clock, events, fail } = setUp()
  clock.advance(10)
  fail(4)
  expect(events).toEqual([{ type: 'opened', at: 10, until: 510, calls: 4, failures: 4 }])
  clock.advance(600)
  breaker.allow()
  breaker.failure()
  clock.advance(500)
  breaker.allow()
  breaker.success()
  expect(events.slice(1)).toEqual([
    { type: 'half-opened', at: 610 },
    { type: 'opened', at: 610, until: 1110, calls: 4, failures: 4 },
    { type: 'half-opened', at: 1110 },
    { type: 'closed', at: 1110 },
  ])
  const listener = vi.fn()
  breaker.subscribe(listener)
  breaker.failure(0)
  breaker.abandon()
  expect(listener).not.toHaveBeenCalled()
})
it('timers are not set after disposal, while decisions stay the same', () => {
  const { clock, breaker } = setUpOpen()
  const listener = vi.fn()
  breaker.subscribe(listener)
  breaker[Symbol.dispose]()
  breaker[Symbol.dispose]()
  expect(clock.pending).toBe(0)
  clock.advance(500)
  expect(listener).not.toHaveBeenCalled()
  expect(breaker.state).toBe('half-open')
  expect(breaker.allow()).toBe(true)
  breaker.failure()
  expect(breaker.allow()).toBe(false)
  expect(clock.pending).toBe(0)
  expect(listener).toHaveBeenCalledTimes(3)
})
