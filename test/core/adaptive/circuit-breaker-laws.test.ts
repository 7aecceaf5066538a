import fc from 'fast-check'
import { createCircuitBreaker } from 'lull/core'
import { expect, it } from 'vitest'
import { createManualClock } from 'lull/testing'
import { anyOf, type Of } from '../../laws/steps.ts'
import { tries } from '../../laws/tries.ts'

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
