import fc from 'fast-check'
import * as core from 'lull/core'
import type { ChaosClock } from '../chaos-clock.ts'
import { anyOf, type Of } from '../../laws/steps.ts'
import { definePart, type ChaosPart, type World } from '../part.ts'
import { createBucketEnvelope, createWindowEnvelope, type Envelope } from './envelope.ts'

// test/core/limit/waits covers reservations and changed limits, with an exact clock.

/** No limiter here admits a cost of more than 6. */
const costs = fc.constantFrom(1, 1, 1, 1, 2, 0.5, 0, 7)

const step = anyOf({
  'allow decide': [6, { cost: costs }],
  wait: [8, { cost: costs, timeoutMs: fc.constantFrom(Infinity, Infinity, Infinity, 0, 100, 1000) }],
  bypassed: [1, { cost: costs }],
  abort: [3, { which: fc.nat(5) }],
  'success success failure': 4,
})

type Step = Of<typeof step>

interface Waiting {
  n: number
  cost: number
  timeoutMs: number
  controller: AbortController
}

/** Makes a limiter and the bounds it must keep. */
type Make = (
  world: World,
  clock: ChaosClock,
) => { limiter: core.WaitingLimiter<never> & Partial<core.AdaptiveLimiter<never>>; envelopes: Envelope[] }

const RATE = 10
const BURST = 4
const WINDOW_MS = 400

function define(name: string, makeLimited: Make): ChaosPart {
  return definePart({
    name,
    options: fc.constant(null),
    step,
    begin(world) {
      const { clock, claim } = world
      const aborted = new Error('aborted')
      const { limiter, envelopes } = makeLimited(world, clock)
      let waiting: Waiting[] = []
      const counts = { allowed: 0, denied: 0 }
      let waits = 0
      let isDisposed = false

      function count(isAllowed: boolean, cost: number): void {
        counts[isAllowed ? 'allowed' : 'denied']++
        if (isAllowed) for (const envelope of envelopes) envelope.admit(cost)
      }

      function ask(how: 'allow' | 'decide', cost: number): void {
        const foreseen = limiter.peek(cost)
        const before = limiter.snapshot()
        const { allowed, retryAfterMs, remaining } =
          how === 'allow' ? { ...foreseen, allowed: limiter.allow(cost) } : limiter.decide(cost)
        claim(before !== limiter.snapshot(), 'decided without a new snapshot')
        claim(allowed === foreseen.allowed, 'decided otherwise than peek returned:', allowed)
        claim(!allowed || waiting.length === 0, 'overtook pending waits')
        claim(allowed || cost > 0 || waiting.length > 0, 'refused a cost of 0')
        claim(Number.isInteger(remaining) && remaining >= 0 && remaining <= 6, 'remaining is', remaining)
        claim(allowed || retryAfterMs > 0, 'refused with retryAfterMs', retryAfterMs)
        claim((retryAfterMs === Infinity) === cost > BURST, 'retryAfterMs is', retryAfterMs, cost)
        count(allowed, cost)
        if (allowed || cost > BURST || waiting.length > 0) return
        const later = limiter.peek(cost, clock.now() + limiter.decide(cost).retryAfterMs)
        count(false, cost)
        claim(later.allowed, 'is refused after retryAfterMs', retryAfterMs)
      }

      function wait(cost: number, timeoutMs: number): void {
        const one: Waiting = { n: ++waits, cost, timeoutMs, controller: new AbortController() }
        waiting.push(one)
        const leave = (): void => {
          waiting = waiting.filter((other) => other !== one)
        }
        limiter.wait(cost, { timeoutMs, signal: one.controller.signal }).then(
          () => {
            claim(waiting[0] === one, 'resolved before the first', one.n, waiting[0]?.n)
            leave()
            count(true, cost)
          },
          (error: unknown) => {
            leave()
            if (one.controller.signal.aborted) return claim(error === aborted, 'rejects with', error)
            count(false, cost)
            const { code } = error as core.RateLimitError
            if (code === 'disposed') return claim(isDisposed, 'is not disposed of')
            claim(code === 'wait-too-long', 'rejects with', error)
            claim(timeoutMs < Infinity || cost > BURST, 'rejected a wait without a timeout', cost, timeoutMs)
          },
        )
      }

      function act(step: Step): void {
        // Rounding may bring the estimate of this rule up to limit + 1, which leaves no room even for 0.
        const least = name === 'sliding window counter' ? 1 : 0
        if (step.do === 'allow' || step.do === 'decide') ask(step.do, Math.max(step.cost, least))
        else if (step.do === 'wait') wait(step.cost, step.timeoutMs)
        else if (step.do === 'abort') {
          const one = waiting[step.which]
          waiting = waiting.filter((other) => other !== one)
          one?.controller.abort(aborted)
        } else if (step.do === 'bypassed') {
          if (waiting.length > 0) return
          limiter.bypass(true)
          claim(limiter.allow(step.cost) && limiter.peek(7).allowed, 'refused although bypassed')
          counts.allowed++
          limiter.bypass(false)
        } else limiter[step.do]?.()
      }

      return {
        act,
        check() {
          const snapshot = limiter.snapshot()
          const { allowed, denied } = snapshot
          claim(snapshot === limiter.snapshot(), 'returned another snapshot without a change')
          claim(snapshot.waiting === waiting.length, 'waiting are', snapshot.waiting, waiting.length)
          claim(allowed === counts.allowed && denied === counts.denied, 'counted', allowed, denied)
          // With several limiters each wait that has a timeout also sets a timer for it.
          const timeouts = waiting.filter(({ timeoutMs }) => timeoutMs < Infinity).length
          const most = envelopes.length + (envelopes.length > 1 ? timeouts : 0)
          claim(clock.pending <= (waiting.length > 0 ? most : 0), 'has timers', clock.pending)
          const [first] = waiting
          if (!first || !clock.isQuiet) return
          claim(clock.pending > 0, 'has no timer for the first wait')
          const isOverdue = envelopes.every((envelope) => envelope.isOverdue(first.cost))
          claim(!isOverdue, 'is overdue', first.n, first.cost)
        },
        end() {
          // Half of the runs leave waits pending, half dispose of the limiter.
          wait(1, Infinity)
          if (waits % 2) return
          isDisposed = true
          limiter[Symbol.dispose]()
          claim(limiter.snapshot().waiting === 0, 'keeps pending waits')
        },
      }
    },
  })
}

const bucket = (world: World): Envelope => createBucketEnvelope(world, RATE, BURST)
const windowed =
  (factor: 1 | 2, over = 0) =>
  (world: World): Envelope =>
    createWindowEnvelope(world, BURST, WINDOW_MS, factor, over)

const rates = { ratePerSecond: RATE, burst: BURST }
const window = { limit: BURST, windowMs: WINDOW_MS }

const rules: [name: string, rule: core.Rule<never>, envelope: (world: World) => Envelope][] = [
  ['token bucket', core.tokenBucket(rates), bucket],
  ['gcra', core.gcra(rates), bucket],
  ['leaky bucket', core.leakyBucket({ ratePerSecond: RATE, capacity: BURST }), bucket],
  ['fixed window', core.fixedWindow(window), windowed(2)],
  ['sliding window log', core.slidingWindowLog(window), windowed(1)],
  // It admits while floor(estimate) leaves room, so its count exceeds the limit by less than one.
  ['sliding window counter', core.slidingWindowCounter(window), windowed(2, 1)],
]

export const limiters: ChaosPart[] = [
  ...rules.map(([name, rule, envelope]) =>
    define(name, (world, clock) => ({
      limiter: core.createWaitingLimiter(rule, { clock }),
      envelopes: [envelope(world)],
    })),
  ),
  define('all of two limiters', (world, clock) => ({
    limiter: core.allOf(
      core.createWaitingLimiter<never>(core.tokenBucket(rates), { clock }),
      core.createWaitingLimiter<never>(core.slidingWindowLog({ limit: 6, windowMs: 300 }), { clock }),
    ),
    envelopes: [bucket(world), createWindowEnvelope(world, 6, 300, 1)],
  })),
  define('adaptive limiter', (world, clock) => ({
    limiter: core.createAdaptiveLimiter(core.tokenBucket(rates), { clock, min: 1, random: () => 0.5 }),
    envelopes: [{ ...bucket(world), isOverdue: () => false }],
  })),
]
