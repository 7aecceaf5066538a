import fc from 'fast-check'
import {
  allOf,
  createAdaptiveLimiter,
  createWaitingLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type AdaptiveLimiter,
  type WaitingLimiter,
  type RateLimitError,
  type Reservation,
} from 'lull/core'
import type { ChaosClock } from '../chaos-clock.ts'
import { createBucketEnvelope, createWindowEnvelope, type Envelope, type LimitChanges } from './envelope.ts'
import { definePart, steps, type ChaosPart, type World } from '../part.ts'

type Step =
  | { do: 'allow'; cost: number }
  | { do: 'decide'; cost: number }
  | { do: 'bypassed'; cost: number }
  | { do: 'wait'; cost: number; timeoutMs: number }
  | { do: 'reserve'; cost: number }
  | { do: 'abort'; which: number }
  | { do: 'cancel'; which: number }
  | ({ do: 'configure' } & LimitChanges)
  | { do: 'success' }
  | { do: 'failure' }
  | { do: 'renew' }

/** The most that any of them lets pass is 6. */
const costs = fc.constantFrom(1, 1, 1, 1, 2, 0.5, 0, 7)
const which = fc.nat(5)

const limits = fc
  .record({ rate: fc.constantFrom(5, 10, 20), burst: fc.integer({ min: 1, max: 6 }) })
  .map(({ rate, burst }): Step => ({
    do: 'configure',
    ratePerSecond: rate,
    burst,
    capacity: burst,
    limit: burst,
  }))

const anyStep = (canReserve: boolean): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 27,
      arbitrary: steps<Step>({
        'allow decide': [6, { cost: costs }],
        wait: [8, { cost: costs, timeoutMs: fc.constantFrom(Infinity, Infinity, Infinity, 0, 100, 1000) }],
        bypassed: [1, { cost: costs }],
        reserve: [canReserve ? 3 : 0, { cost: costs }],
        cancel: [canReserve ? 1 : 0, { which }],
        abort: [3, { which }],
        'success success failure': 4,
        renew: 1,
      }),
    },
    // What was booked keeps its instant, whatever is configured later.
    { weight: canReserve ? 0 : 2, arbitrary: limits },
  )

interface Waiting {
  n: number
  cost: number
  timeoutMs: number
  controller: AbortController
}

/** A limiter, what limits it, and how its limits are changed, if they can be. */
interface Limited {
  limiter: WaitingLimiter<never> & Partial<AdaptiveLimiter<never>>
  envelopes: Envelope[]
  configure?: (changes: LimitChanges) => void
  /** The greatest cost. */
  capacity: number
}

type Make = (world: World, clock: ChaosClock) => Limited

const RATE = 10
const BURST = 4
const WINDOW_MS = 400

function define(name: string, makeLimited: Make, canReserve: boolean): ChaosPart {
  return definePart<null, Step>({
    name: canReserve ? `${name}, with reservations` : name,
    options: fc.constant(null),
    step: anyStep(canReserve),
    begin(world, _, isLong) {
      const { clock, claim } = world
      const aborted = new Error('aborted')
      let limited: Limited
      let waiting: Waiting[] = []
      let reservations: { booked: Reservation; setBackMs: number; withdraw: () => void }[] = []
      let counts = { allowed: 0, denied: 0 }
      let waits = 0
      // Where one whose time is over can be sent away.
      let wasConfigured = false
      let isDisposed = false

      function make(): void {
        limited = makeLimited(world, clock)
        waiting = []
        reservations = []
        counts = { allowed: 0, denied: 0 }
        wasConfigured = isDisposed = false
      }

      function count(isAllowed: boolean): void {
        counts[isAllowed ? 'allowed' : 'denied']++
      }

      function admit(cost: number, inMs?: number): () => void {
        const withdrawals = limited.envelopes.map((envelope) => envelope.admit(cost, inMs))
        return () => withdrawals.forEach((withdraw) => withdraw())
      }

      function ask(how: 'allow' | 'decide', cost: number): void {
        const { limiter, capacity } = limited
        const foreseen = limiter.peek(cost)
        const before = limiter.snapshot()
        const decision =
          how === 'allow' ? { ...foreseen, allowed: limiter.allow(cost) } : limiter.decide(cost)
        const { allowed, retryAfterMs, remaining } = decision
        claim(before !== limiter.snapshot(), 'answered and shows the same snapshot')
        claim(allowed === foreseen.allowed, 'foresaw', foreseen.allowed, 'and answered', allowed)
        claim(!allowed || waiting.length === 0, 'overtook who waits')
        claim(allowed || cost > 0 || waiting.length > 0 || canReserve || wasConfigured, 'refused a cost of 0')
        claim(Number.isInteger(remaining) && remaining >= 0 && remaining <= 6, 'remaining is', remaining)
        claim(allowed || retryAfterMs > 0, 'refused, and says to try again in', retryAfterMs)
        claim(
          (retryAfterMs === Infinity) === cost > capacity,
          'to try again in',
          retryAfterMs,
          cost,
          capacity,
        )
        count(allowed)
        if (allowed) admit(cost)
        else if (cost <= capacity && waiting.length === 0 && reservations.length === 0) {
          const { allowed } = limiter.peek(cost, clock.now() + limiter.decide(cost).retryAfterMs)
          count(false)
          claim(allowed, 'to wait as told is not enough', retryAfterMs)
        }
      }

      function wait(cost: number, timeoutMs: number): void {
        const one: Waiting = { n: ++waits, cost, timeoutMs, controller: new AbortController() }
        const own = limited
        waiting.push(one)
        const leave = (): void => {
          if (own === limited) waiting = waiting.filter((other) => other !== one)
        }
        own.limiter.wait(cost, { timeoutMs, signal: one.controller.signal }).then(
          () => {
            if (own !== limited) return claim(false, 'let go who was sent away')
            claim(waiting[0] === one, 'let go before who came first', one.n, waiting[0]?.n)
            leave()
            count(true)
            admit(cost)
          },
          (error: unknown) => {
            leave()
            if (one.controller.signal.aborted) return claim(error === aborted, 'rejects with', error)
            if (own === limited) count(false)
            const { code } = error as RateLimitError
            if (code === 'disposed') return claim(isDisposed || own !== limited, 'is not disposed of')
            claim(code === 'wait-too-long', 'rejects with', error)
            const isRight = timeoutMs < Infinity || cost > own.capacity || wasConfigured
            claim(isRight, 'sent away who has time', cost, timeoutMs)
          },
        )
      }

      function act(step: Step): void {
        const { limiter } = limited
        if (step.do === 'allow' || step.do === 'decide') ask(step.do, step.cost)
        else if (step.do === 'wait') wait(step.cost, step.timeoutMs)
        else if (step.do === 'abort') {
          const one = waiting[step.which]
          waiting = waiting.filter((other) => other !== one)
          one?.controller.abort(aborted)
        } else if (step.do === 'reserve') {
          const reservation = limiter.reserve(step.cost)
          // Who is woken late goes late; what was booked behind it keeps its instant, and so may come soon after.
          if (waiting.length > 0) reservation.cancel()
          claim(reservation.ok === step.cost <= limited.capacity, 'booked', step.cost, reservation.ok)
          count(reservation.ok)
          if (!reservation.ok || waiting.length > 0) return
          const withdraw = admit(step.cost, reservation.delay())
          reservations.push({ booked: reservation, setBackMs: clock.setBackMs, withdraw })
        } else if (step.do === 'cancel') {
          const one = reservations[step.which]
          one?.booked.cancel()
          one?.withdraw()
        } else if (step.do === 'configure') {
          if (!limited.configure) return
          wasConfigured = true
          limited.capacity = step.burst!
          for (const envelope of limited.envelopes) envelope.configure(step)
          limited.configure(step)
        } else if (step.do === 'bypassed') {
          if (waiting.length > 0) return
          limiter.bypass(true)
          claim(limiter.allow(step.cost) && limiter.peek(7).allowed, 'refused although bypassed')
          count(true)
          limiter.bypass(false)
        } else if (step.do === 'renew') {
          if (isLong) return
          isDisposed = true
          limiter[Symbol.dispose]()
          make()
        } else limiter[step.do]?.()
      }

      make()
      return {
        act,
        check() {
          const snapshot = limited.limiter.snapshot()
          const { allowed, denied } = snapshot
          claim(snapshot === limited.limiter.snapshot(), 'shows another snapshot, and nothing has changed')
          claim(snapshot.waiting === waiting.length, 'waiting are', snapshot.waiting, waiting.length)
          claim(
            allowed === counts.allowed && denied === counts.denied,
            'counted',
            allowed,
            denied,
            JSON.stringify(counts),
          )
          // Where others may take in between, each wait with a timeout ends at it.
          const timeouts = waiting.filter(({ timeoutMs }) => timeoutMs < Infinity).length
          const most = limited.envelopes.length + (limited.envelopes.length > 1 ? timeouts : 0)
          claim(clock.pending <= (waiting.length > 0 ? most : 0), 'has timers', clock.pending)
          // What was booked keeps its instant when the clock is set back: to cancel it then gives back what has long come again.
          reservations = reservations.filter(
            ({ booked, setBackMs }) => booked.delay() > 0 && setBackMs === clock.setBackMs,
          )
          const [first] = waiting
          if (!first || !clock.isQuiet) return
          claim(clock.pending > 0, 'nobody will wake who waits')
          const isOverdue = limited.envelopes.every((envelope) => envelope.isOverdue(first.cost))
          claim(!isOverdue, 'is overdue', first.n, first.cost)
        },
        end() {
          // Some wait to the end, some are sent away.
          wait(1, Infinity)
          if (waits % 2) return
          isDisposed = true
          limited.limiter[Symbol.dispose]()
          claim(limited.limiter.snapshot().waiting === 0, 'keeps who waits')
        },
      }
    },
  })
}

const limited = (limiter: WaitingLimiter, ...envelopes: Envelope[]): Limited => ({
  limiter: limiter,
  envelopes,
  capacity: BURST,
  configure: (changes) => limiter.configure(changes),
})

const bucket = (world: World): Envelope => createBucketEnvelope(world, RATE, BURST)
const windowed = (world: World, factor: 1 | 2, over = 0): Envelope =>
  createWindowEnvelope(world, BURST, WINDOW_MS, factor, over)
const window = { limit: BURST, windowMs: WINDOW_MS }

const makers: [name: string, make: Make][] = [
  [
    'token bucket',
    (world, clock) =>
      limited(
        createWaitingLimiter(tokenBucket({ ratePerSecond: RATE, burst: BURST }), { clock }),
        bucket(world),
      ),
  ],
  [
    'gcra',
    (world, clock) =>
      limited(createWaitingLimiter(gcra({ ratePerSecond: RATE, burst: BURST }), { clock }), bucket(world)),
  ],
  [
    'leaky bucket',
    (world, clock) =>
      limited(
        createWaitingLimiter(leakyBucket({ ratePerSecond: RATE, capacity: BURST }), { clock }),
        bucket(world),
      ),
  ],
  [
    'fixed window',
    (world, clock) => limited(createWaitingLimiter(fixedWindow(window), { clock }), windowed(world, 2)),
  ],
  [
    'sliding window log',
    (world, clock) => limited(createWaitingLimiter(slidingWindowLog(window), { clock }), windowed(world, 1)),
  ],
  [
    'sliding window counter',
    // It lets one pass while the whole part of its estimate leaves room: what it counts is less than one above the limit.
    (world, clock) =>
      limited(createWaitingLimiter(slidingWindowCounter(window), { clock }), windowed(world, 2, 1)),
  ],
]

const all: [name: string, make: Make] = [
  'all of two limiters',
  (world, clock) => {
    const limiters = [
      tokenBucket({ ratePerSecond: RATE, burst: BURST }),
      slidingWindowLog({ limit: 6, windowMs: 300 }),
    ]
    const limiter = allOf(...limiters.map((rule) => createWaitingLimiter(rule as never, { clock })))
    return { limiter, envelopes: [bucket(world), createWindowEnvelope(world, 6, 300, 1)], capacity: BURST }
  },
]

const adaptive: [name: string, make: Make] = [
  'adaptive limiter',
  (world, clock) => {
    const limiter = createAdaptiveLimiter(tokenBucket({ ratePerSecond: RATE, burst: BURST }), {
      clock,
      min: 1,
      random: () => 0.5,
    })
    return {
      limiter: limiter,
      envelopes: [{ ...bucket(world), isOverdue: () => false }],
      capacity: BURST,
    }
  },
]

export const limiters: ChaosPart[] = [
  ...[...makers, all, adaptive].map(([name, make]) => define(name, make, false)),
  ...[...makers, all].map(([name, make]) => define(name, make, true)),
]
