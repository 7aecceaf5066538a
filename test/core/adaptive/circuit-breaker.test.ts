import fc from 'fast-check'
import {
  createCircuitBreaker,
  type CircuitBreakerOptions,
  type CircuitEvent,
  type CircuitState,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { type Of, scriptsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'
import { createDeferred, settled } from '../shared/promises.ts'
import { createAdjustableClock, createTestClock } from '../time/clocks.ts'
import { throwing } from '../shared/throwing.ts'

const SMALL = { failureRatio: 0.5, minimumCalls: 4, windowMs: 1000, openMs: 500 }

function setUp(options: CircuitBreakerOptions = {}) {
  const clock = createAdjustableClock()
  const breaker = createCircuitBreaker({ ...SMALL, clock, ...options })
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) breaker.failure(breaker.decide().ticket)
  }
  return { clock, breaker, fail }
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
    await expect(breaker.run(() => Promise.reject(error))).rejects.toBe(error)
    await expect(breaker.run(throwing(error))).rejects.toBe(error)
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
    await settled()
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

it('sets no timer after disposal, and decides and notifies as before', () => {
  const { clock, breaker } = setUpOpen()
  const listener = vi.fn()
  breaker.subscribe(listener)
  for (let times = 0; times < 2; times++) breaker[Symbol.dispose]()
  clock.advance(500)
  expect([breaker.state, clock.pending, listener.mock.calls.length]).toEqual(['half-open', 0, 0])
  expect(breaker.allow()).toBe(true)
  breaker.failure()
  expect([breaker.allow(), clock.pending, listener.mock.calls.length]).toEqual([false, 0, 3])
  breaker.abandon()
  expect(listener).toHaveBeenCalledTimes(3)
})

it('an abandoned probe is replaced by the next call', () => {
  const { breaker, clock } = setUpOpen()
  clock.advance(500)
  const { ticket } = breaker.decide()
  expect(breaker.allow()).toBe(false)
  breaker.abandon(ticket)
  expect([breaker.state, breaker.allow()]).toEqual(['half-open', true])
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

const steps = scriptsOf(80, {
  call: 8,
  success: [3, ending],
  failure: [5, ending],
  abandon: [1, ending],
  advance: [4, { ms: fc.constantFrom(1, 9, 30, 100, 500) }],
  setBack: [1, { ms: fc.constantFrom(50, 5000) }],
  'reset watch unwatch': 1,
})

/**
 * A breaker by its contract, computed from the list of all events. It uses real time: setting the clock back
 * must make no difference. `reading` is that of the clock.
 */
function createModel(
  { failureRatio, minimumCalls, windowMs, openMs }: Of<typeof options>,
  reading: () => number,
) {
  let now = 0
  let counted: { at: number; failed: boolean }[] = []
  let openedAt: number | undefined
  let mayProbe = false
  // The number of the probe's call.
  let probe: number | undefined
  // Outcomes count only for calls from this number on, made since the circuit was last closed.
  let since = 0
  const counts = { allowed: 0, denied: 0 }
  const events: CircuitEvent[] = []
  let watchedFrom = Infinity

  const bucketOf = (at: number) => (windowMs === Infinity ? 0 : Math.floor((10 * at) / windowMs))
  const inWindow = () => counted.filter(({ at }) => bucketOf(at) > bucketOf(now) - 10)
  const failures = () => inWindow().filter(({ failed }) => failed).length
  const window = () => ({ calls: inWindow().length, failures: failures() })
  const calls = () => counts.allowed + counts.denied

  function state(): CircuitState {
    if (openedAt === undefined) return 'closed'
    return mayProbe || now - openedAt >= openMs ? 'half-open' : 'open'
  }

  function open(): void {
    openedAt = now
    mayProbe = false
    probe = undefined
    events.push({ type: 'opened', at: reading(), until: reading() + openMs, ...window() })
  }

  function halfOpen(at: number): void {
    if (!mayProbe) events.push({ type: 'half-opened', at })
    mayProbe = true
  }

  function close(): void {
    if (openedAt !== undefined) events.push({ type: 'closed', at: reading() })
    openedAt = probe = undefined
    mayProbe = false
    counted = []
    since = calls()
  }

  function peek(): [boolean, number] {
    if (state() === 'closed' || (state() === 'half-open' && probe === undefined)) return [true, 0]
    return [false, state() === 'open' ? openedAt! + openMs - now : Infinity]
  }

  return {
    events,
    state,
    peek,
    snapshot: () => ({
      state: state(),
      until: state() === 'open' ? reading() + peek()[1] : undefined,
      ...window(),
      ...counts,
    }),
    advance(ms: number) {
      now += ms
      // Only a watched breaker notices that time has opened it.
      const dueAt = Math.max(openedAt! + openMs, watchedFrom)
      if (openedAt !== undefined && dueAt <= now) halfOpen(reading() - (now - dueAt))
    },
    watch: (isWatched: boolean) => void (watchedFrom = isWatched ? now : Infinity),
    call(): boolean {
      const [allowed] = peek()
      if (allowed && state() === 'half-open') {
        halfOpen(reading())
        probe = calls()
      }
      counts[allowed ? 'allowed' : 'denied']++
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
  }
}

it('decides by its contract, whatever happens to it and its clock', () => {
  forAll(1000, options, steps, fc.constantFrom(0, -1e6, 2 ** 40), (options, script, startMs) => {
    const manual = createManualClock(startMs)
    let setBackMs = 0
    const clock = { ...manual, now: () => manual.now() - setBackMs }
    const model = createModel(options, clock.now)
    const events: CircuitEvent[] = []
    const onEvent = (event: CircuitEvent): unknown => events.push(event)
    const breaker = createCircuitBreaker({ ...options, clock, onEvent })
    // The ticket and the model's number of each call.
    const tickets: number[] = []
    const allowed: number[] = []
    let unwatch = (): void => undefined
    let told: CircuitState | undefined

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
      } else if (step.do === 'watch' || step.do === 'unwatch') {
        const isWatched = step.do === 'watch'
        unwatch()
        unwatch = isWatched ? breaker.subscribe(() => (told = breaker.state)) : () => undefined
        told = isWatched ? breaker.state : undefined
        model.watch(isWatched)
      } else {
        const number = step.hasTicket ? allowed.at(-1 - step.call) : undefined
        breaker[step.do](number === undefined ? undefined : tickets[number])
        model.end(step.do, number)
      }
      const { allowed: mayGo, retryAfterMs } = breaker.peek()
      expect([breaker.state, mayGo, retryAfterMs]).toEqual([model.state(), ...model.peek()])
      expect(breaker.snapshot()).toEqual(model.snapshot())
      expect(events).toEqual(model.events)
      // Listeners learn each state, also when only time changes it.
      if (options.openMs > 0) expect(told ?? model.state()).toBe(model.state())
      if (told === 'open') expect(manual.pending).toBe(options.openMs < Infinity ? 1 : 0)
      if (told === 'closed' || told === undefined) expect(manual.pending).toBe(0)
    }
    unwatch()
    expect(manual.pending).toBe(0)
  })
})
