import fc from 'fast-check'
import {
  createWaitingLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowLog,
  tokenBucket,
  type Decision,
  type WaitingLimiter,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { bursts, costs, gaps, rates, readings, type Pass } from './every-rule.ts'
import { tries } from '../../../laws/tries.ts'

const clock = createManualClock()

/** Whole instants and costs, whose sums are exact. */
const wholeScript = fc.array(
  fc.record({
    gapMs: fc.oneof(fc.constant(0), fc.nat({ max: 400 }), fc.nat({ max: 3000 })),
    cost: fc.nat({ max: 6 }),
  }),
  { maxLength: 80, size: 'max' },
)

/** Decides on `cost` by a list of admitted costs and a function that weighs them at an instant. */
function decide(
  passes: readonly Pass[],
  limit: number,
  countsAt: (pass: Pass, at: number) => boolean,
  cost: number,
  at: number,
): Decision {
  const room = (then: number): number =>
    limit - passes.reduce((used, pass) => (countsAt(pass, then) ? used + pass.cost : used), 0)
  let retryAfterMs = cost > limit ? Infinity : 0
  while (retryAfterMs < Infinity && room(at + retryAfterMs) < cost) retryAfterMs++
  const allowed = retryAfterMs === 0
  return { allowed, retryAfterMs, remaining: room(at) - (allowed ? cost : 0) }
}

it.each([
  [
    'slidingWindowLog',
    slidingWindowLog,
    (pass: Pass, at: number, windowMs: number) => at - pass.at < windowMs,
  ],
  [
    'fixedWindow',
    fixedWindow,
    (pass: Pass, at: number, windowMs: number) =>
      Math.floor(pass.at / windowMs) === Math.floor(at / windowMs),
  ],
])('%s decides like a list of all admitted costs', (_, make, isIn) => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 2, 5),
      fc.constantFrom(1, 250, 1000),
      fc.nat({ max: 2 ** 40 }),
      wholeScript,
      (limit, windowMs, startAt, script) => {
        const limiter = createWaitingLimiter(make({ limit, windowMs }), { clock })
        const passes: Pass[] = []
        const decisions: Decision[] = []
        const expected: Decision[] = []
        let at = startAt
        for (const { gapMs, cost } of script) {
          at += gapMs
          const decision = decide(passes, limit, (pass, then) => isIn(pass, then, windowMs), cost, at)
          expected.push(decision)
          decisions.push(limiter.decide(cost, at))
          if (decision.allowed) passes.push({ at, cost })
        }
        expect(decisions).toEqual(expected)
      },
    ),
    tries(200),
  )
})

const script = fc.array(fc.record({ gap: gaps, cost: costs }), { maxLength: 60, size: 'max' })

it('gcra decides as the token bucket does, except within a hundred-thousandth of a ms of the boundary', () => {
  fc.assert(
    fc.property(rates, bursts, fc.nat({ max: 2 ** 20 }), script, (ratePerSecond, burst, startAt, script) => {
      const [bucket, cell] = [tokenBucket, gcra].map((make) =>
        createWaitingLimiter(make({ ratePerSecond, burst }), { clock: createManualClock(startAt) }),
      ) as [WaitingLimiter, WaitingLimiter]
      let at = startAt
      for (const { gap, cost } of script) {
        at += (gap * 1000) / ratePerSecond
        const [one, other] = [bucket.decide(cost, at), cell.decide(cost, at)]
        const apartMs = Math.abs(one.retryAfterMs - other.retryAfterMs)
        // Where one returns 0, the other may return less than its slack; apart from that they differ only by
        // rounding.
        if (apartMs > 1e-5 + at * 1e-12) expect({ cost, one }).toEqual({ cost, one: other })
        if (one.allowed !== other.allowed) return
      }
      expect(cell.remaining(at)).toBeCloseTo(bucket.remaining(at), 6)
    }),
    tries(1000),
  )
})

it('leakyBucket decides exactly as the token bucket does', () => {
  const verbs = fc.constantFrom('decide' as const, 'peek' as const, 'reserve' as const, 'cancel' as const)
  const steps = fc.array(fc.record({ gap: gaps, cost: costs, verb: verbs }), { maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(rates, bursts, readings, steps, (ratePerSecond, burst, startAt, steps) => {
      const [bucket, meter] = [
        tokenBucket({ ratePerSecond, burst }),
        leakyBucket({ ratePerSecond, capacity: burst }),
      ]
        .map((rule) => createWaitingLimiter<never>(rule, { clock }))
        .map((limiter) => {
          let cancel: ((at: number) => void) | undefined
          let at = startAt
          return steps.map(({ gap, cost, verb }) => {
            at += (gap * 1000) / ratePerSecond
            if (verb === 'cancel') return [cancel?.(at), limiter.remaining(at)]
            if (verb !== 'reserve') return [limiter[verb](cost, at), limiter.remaining(at)]
            const reservation = limiter.reserve(cost, at)
            ;({ cancel } = reservation)
            return [reservation.ok, reservation.at, limiter.remaining(at)]
          })
        })
      expect(meter).toEqual(bucket)
    }),
    tries(300),
  )
})
