import fc from 'fast-check'
import * as core from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { bursts, costs, exactWindows, gaps, rates, readings, type Pass } from './every-rule.ts'
import { recordsOf } from '../../../laws/steps.ts'
import { forAll } from '../../../laws/tries.ts'

const clock = createManualClock()

/** Whole instants and costs, whose sums are exact. */
const wholeScript = recordsOf(80, {
  gapMs: fc.oneof(fc.constant(0), fc.nat({ max: 400 }), fc.nat({ max: 3000 })),
  cost: fc.nat({ max: 6 }),
})

/** Decides on `cost` by a list of admitted costs and a function that weighs them at an instant. */
function decide(
  passes: readonly Pass[],
  limit: number,
  countsAt: (pass: Pass, at: number) => boolean,
  cost: number,
  at: number,
): core.Decision {
  const room = (then: number): number =>
    limit - passes.reduce((used, pass) => (countsAt(pass, then) ? used + pass.cost : used), 0)
  let retryAfterMs = cost > limit ? Infinity : 0
  while (retryAfterMs < Infinity && room(at + retryAfterMs) < cost) retryAfterMs++
  const allowed = retryAfterMs === 0
  return { allowed, retryAfterMs, remaining: room(at) - (allowed ? cost : 0) }
}

it.each(exactWindows)('%s decides like a list of all admitted costs', (_, make, isOne) => {
  forAll(
    200,
    fc.constantFrom(1, 2, 5),
    fc.constantFrom(1, 250, 1000),
    fc.nat({ max: 2 ** 40 }),
    wholeScript,
    (limit, windowMs, startAt, script) => {
      const limiter = core.createWaitingLimiter(make({ limit, windowMs }), { clock })
      const passes: Pass[] = []
      let at = startAt
      for (const { gapMs, cost } of script) {
        at += gapMs
        const decision = decide(passes, limit, (pass, then) => isOne(then, pass.at, windowMs), cost, at)
        expect(limiter.decide(cost, at)).toEqual(decision)
        if (decision.allowed) passes.push({ at, cost })
      }
    },
  )
})

it('leakyBucket decides exactly as the token bucket does', () => {
  const verbs = fc.constantFrom('decide' as const, 'peek' as const, 'reserve' as const, 'cancel' as const)
  const steps = recordsOf(60, { gap: gaps, cost: costs, verb: verbs })
  forAll(300, rates, bursts, readings, steps, (ratePerSecond, burst, startAt, steps) => {
    const [bucket, meter] = [
      core.tokenBucket({ ratePerSecond, burst }),
      core.leakyBucket({ ratePerSecond, capacity: burst }),
    ]
      .map((rule) => core.createWaitingLimiter<never>(rule, { clock }))
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
  })
})

/** The instant, the cost, the ms to wait (0: allowed), what remains after it. */
type Row = [at: number, cost: number, retryAfterMs: number, remaining: number]

const once: Row[] = [
  [0, 2, 0, 0],
  [1e15, 1, Infinity, 0],
]

const tables: [does: string, rule: core.Rule, rows: Row[]][] = [
  [
    'tokenBucket: starts with its initial tokens at its first instant',
    core.tokenBucket({ ratePerSecond: 10, burst: 3, initial: 0 }),
    [
      [0, 1, 100, 0],
      [100, 1, 0, 0],
      [250, 1, 0, 0],
      [250, 3, 250, 0],
      [1000, 3, 0, 0],
    ],
  ],
  [
    'tokenBucket: no more initial tokens than its burst',
    core.tokenBucket({ ratePerSecond: 10, burst: 3, initial: 9 }),
    [
      [0, 3, 0, 0],
      [0, 1, 100, 0],
    ],
  ],
  ['fixedWindow: an infinite window', core.fixedWindow({ limit: 2, windowMs: Infinity }), once],
  ['slidingWindowLog: an infinite window', core.slidingWindowLog({ limit: 2, windowMs: Infinity }), once],
  [
    'slidingWindowLog: when costs below 1 fill its slots, the newest merge into the last slot',
    core.slidingWindowLog({ limit: 2, windowMs: 1000 }),
    [
      [0, 0.5, 0, 1],
      [100, 0.5, 0, 1],
      // A third entry for two slots: counts as if 1 had been taken at 200.
      [200, 0.5, 0, 0],
      [200, 1, 800, 0],
      [1000, 0.5, 0, 0],
      [1000, 1, 200, 0],
    ],
  ],
  [
    'slidingWindowCounter: admits nothing at the end of a full window, then one per limit-th part of the next',
    core.slidingWindowCounter({ limit: 4, windowMs: 1000 }),
    [
      [900, 4, 0, 0],
      [999, 1, 1, 0],
      // 4 · (1 − 0) + 0 = 4
      [1000, 0, 0, 0],
      // 4 · (1 − 0.01) = 3.96, of which 3 count
      [1010, 1, 0, 0],
      // 4 · (1 − 0.25) + 1 = 4: just after it
      [1250, 0, 0, 0],
      [1251, 1, 0, 0],
      // 4 · (1 − 0.9) + 2 = 2.4
      [1900, 2, 0, 0],
      [1900, 5, Infinity, 0],
      // Two windows later, earlier costs no longer count.
      [3000, 4, 0, 0],
    ],
  ],
  [
    'slidingWindowCounter: in a window with nothing taken, a fourth of the last one makes room for each of four',
    core.slidingWindowCounter({ limit: 4, windowMs: 400 }),
    [
      [900, 4, 0, 0],
      [1210, 4, 290, 1],
      [1210, 2, 90, 1],
      [1210, 1, 0, 0],
    ],
  ],
]

it.each(tables)('%s', (_, rule, rows) => {
  const limiter = core.createLimiter(rule, { clock })
  for (const [at, cost, retryAfterMs, remaining] of rows) {
    const decision = limiter.decide(cost, at)
    const label = `at ${at}, cost ${cost}`
    expect(decision.retryAfterMs, label).toBeCloseTo(retryAfterMs, 6)
    expect(decision, label).toMatchObject({ allowed: retryAfterMs === 0, remaining })
  }
})
