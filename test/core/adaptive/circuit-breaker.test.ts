import fc from 'fast-check'
import { createCircuitBreaker, type CircuitBreakerOptions, type CircuitEvent } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { anyOf, type Of } from '../../laws/steps.ts'
import { tries } from '../../laws/tries.ts'
import { createDeferred } from '../shared/promises.ts'
import { createAdjustableClock, createTestClock } from '../time/clocks.ts'

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

it('an abandoned probe is replaced by the next call', () => {
  const { breaker, clock } = setUpOpen()
  clock.advance(500)
  const { ticket } = breaker.decide()
  expect(breaker.allow()).toBe(false)
  breaker.abandon(ticket)
  expect([breaker.state, breaker.allow()]).toEqual(['half-open', true])
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

const options = fc.record({
  failureRatio: fc.constantFrom(0.1, 0.3, 0.5, 1),
  minimumCalls: fc.constantFrom(1, 2, 5),
  windowMs: fc.constantFrom(10, 100, 1000, Infinity),
  openMs: fc.constantFrom(0, 30, 200, Infinity),
})

type Ending = 'success' | 'failure' | 'abandon'

// `call` counts back from the last call; without a ticket the outcome is that of a call made now.
const ending = { call: fc.constantFrom(0, 0, 0, 1, 2, 5), hasTicket: fc.boolean() }

const steps = fc.array(
  anyOf({
    call: 8,
    success: [3, ending],
    failure: [5, ending],
    abandon: [1, ending],
    advance: [4, { ms: fc.constantFrom(1, 9, 30, 100, 500) }],
    setBack: [1, { ms: fc.constantFrom(50, 5000) }],
    'reset watch unwatch': 1,
  }),
  { maxLength: 80, size: 'max' },
)

/**
 * A breaker by its contract, computed from the list of all events. It uses real time: setting the clock back
 * must make no difference.
 */
function createModel({ failureRatio, minimumCalls, windowMs, openMs }: Of<typeof options>) {
  let now = 0
  let counted: { at: number; failed: boolean }[] = []
  let openedAt: number | undefined
  let mayProbe = false
  // The number of the probe's call.
  let probe: number | undefined
  // Outcomes count only for calls from this number on, made since the circuit was last closed.
  let since = 0
  let calls = 0

  const bucketOf = (at: number) => (windowMs === Infinity ? 0 : Math.floor((10 * at) / windowMs))
  const inWindow = () => counted.filter(({ at }) => bucketOf(at) > bucketOf(now) - 10)
  const failures = () => inWindow().filter(({ failed }) => failed).length

  function state(): string {
    if (openedAt === undefined) return 'closed'
    return mayProbe || now - openedAt >= openMs ? 'half-open' : 'open'
  }

  function open(): void {
    openedAt = now
    mayProbe = false
    probe = undefined
  }

  function close(): void {
    openedAt = probe = undefined
    mayProbe = false
    counted = []
    since = calls
  }

  return {
    state,
    advance(ms: number) {
      now += ms
    },
    peek(): [boolean, number] {
      if (state() === 'closed' || (state() === 'half-open' && probe === undefined)) return [true, 0]
      return [false, state() === 'open' ? openedAt! + openMs - now : Infinity]
    },
    call(): boolean {
      const [allowed] = this.peek()
      const number = calls++
      if (allowed && state() === 'half-open') {
        mayProbe = true
        probe = number
      }
      return allowed
    },
    end(how: Ending, number: number | undefined) {
      if (openedAt !== undefined) {
        if (probe === undefined || (number !== undefined && number !== probe)) return
        if (how === 'success') close()
        else if (how === 'failure') open()
        else probe = undefined
      } else if (how !== 'abandon' && (number === undefined || number >= since)) {
        counted.push({ at: now, failed: how === 'failure' })
        if (inWindow().length >= minimumCalls && failures() / inWindow().length >= failureRatio) open()
      }
    },
    reset: close,
    counts: () => [inWindow().length, failures()],
  }
}

it('decides by its contract, whatever happens to it and its clock', () => {
  fc.assert(
    fc.property(options, steps, fc.constantFrom(0, -1e6, 2 ** 40), (options, script, startMs) => {
      const manual = createManualClock(startMs)
      let setBackMs = 0
      const clock = { ...manual, now: () => manual.now() - setBackMs }
      const breaker = createCircuitBreaker({ ...options, clock })
      const model = createModel(options)
      // The ticket and the model's number of each call.
      const tickets: number[] = []
      const allowed: number[] = []
      let unwatch = (): void => undefined
      let told: string | undefined

      for (const step of script) {
        if (step.do === 'call') {
          const answer = breaker.decide()
          if (answer.allowed) allowed.push(tickets.length)
          tickets.push(answer.ticket)
          const [, waitMs] = model.peek()
          expect([answer.allowed, answer.retryAfterMs]).toEqual([model.call(), waitMs])
        } else if (step.do === 'advance') {
          manual.advance(step.ms)
          model.advance(step.ms)
        } else if (step.do === 'setBack') {
          // The next reading notices it. Time before that reading would be lost, but each step ends with one.
          setBackMs += step.ms
        } else if (step.do === 'reset') {
          breaker.reset()
          model.reset()
        } else if (step.do === 'watch') {
          unwatch()
          unwatch = breaker.subscribe(() => (told = breaker.state))
          told = breaker.state
        } else if (step.do === 'unwatch') {
          unwatch()
          unwatch = () => undefined
          told = undefined
        } else {
          const number = step.hasTicket ? allowed.at(-1 - step.call) : undefined
          breaker[step.do](number === undefined ? undefined : tickets[number])
          model.end(step.do, number)
        }
        const { state, calls, failures } = breaker.snapshot()
        const { allowed: mayGo, retryAfterMs } = breaker.peek()
        expect([state, breaker.state, calls, failures, mayGo, retryAfterMs]).toEqual([
          model.state(),
          model.state(),
          ...model.counts(),
          ...model.peek(),
        ])
        // Listeners learn each state, also when only time changes it.
        if (options.openMs > 0) expect(told ?? model.state()).toBe(model.state())
        if (told === 'open') expect(manual.pending).toBe(options.openMs < Infinity ? 1 : 0)
        if (told === 'closed' || told === undefined) expect(manual.pending).toBe(0)
      }
      unwatch()
      expect(manual.pending).toBe(0)
    }),
    tries(1000),
  )
})
