import fc from 'fast-check'
import { createRateMeter, type RateMeter, type RateMeterState } from 'lull/core'
import { expect, it } from 'vitest'
import { createAdjustableClock, createTestClock } from '../time/clocks.ts'
import { recordsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'

/** A meter with the state of `meter`, as in another process, whose clock reads otherwise. */
function restored(meter: RateMeter, clock: ReturnType<typeof createAdjustableClock>): RateMeter {
  const from = JSON.parse(JSON.stringify(meter)) as RateMeterState
  clock.adjust(1e6)
  return createRateMeter({ from, clock })
}

it('is the sum of the events, each halved once per half-life of its age, also when set back or restored', () => {
  const steps = recordsOf(60, {
    afterMs: fc.constantFrom(0, 0, 0.5, 1, 30, 999, 20_000),
    backMs: fc.constantFrom(0, 0, 0, 0, 1, 5000),
    count: fc.constantFrom(0, 1, 1, 2.5, 100),
    isRestored: fc.nat(9).map((n) => n === 0),
  })
  forAll(
    300,
    steps,
    fc.constantFrom(1, 50, 1000, 1e6),
    fc.constantFrom(-1e6, 0, 2 ** 41),
    (steps, halfLifeMs, startMs) => {
      const clock = createAdjustableClock(startMs)
      let meter = createRateMeter({ halfLifeMs, clock })
      let now = 0
      const all: { at: number; count: number }[] = []
      for (const { afterMs, backMs, count, isRestored } of steps) {
        clock.advance(afterMs)
        now += afterMs
        const rate = (): number => {
          const left = all.map(({ at, count }) => count * 2 ** ((at - now) / halfLifeMs))
          return (left.reduce((sum, each) => sum + each, 0) * 1000 * Math.LN2) / halfLifeMs
        }
        // Numbers near 0 have less precision.
        const expectRate = () =>
          expect(Math.abs(meter.rate() - rate())).toBeLessThanOrEqual(1e-9 * rate() + 1e-300)
        expectRate()
        clock.adjust(-backMs)
        expectRate()
        expect(meter.toJSON()).toMatchObject({ ageMs: now - (all.at(-1)?.at ?? 0), halfLifeMs })
        if (isRestored) meter = restored(meter, clock)
        expectRate()
        all.push({ at: now, count })
        meter.add(count)
        expectRate()
      }
    },
  )
})
it('does not drift in a million events', () => {
  const meter = createRateMeter({ clock: createTestClock() })
  // The sum of the infinite series.
  const right = Math.LN2 / (1 - 2 ** (-0.25 / 1000))
  for (let n = 1; n <= 1_000_000; n++) {
    meter.add(1, n * 0.25)
    if (n % 250_000 === 0) expect(meter.rate(n * 0.25) / right).toBeCloseTo(1, 11)
  }
})

it('toJSON gives the rate to a meter of another half-life', () => {
  const clock = createTestClock()
  const meter = createRateMeter({ halfLifeMs: 100, clock })
  meter.add(10)
  const other = createRateMeter({ from: meter.toJSON(), halfLifeMs: 1000, clock })
  expect(other.rate()).toBe(meter.rate())
  clock.advance(1000)
  expect(other.rate()).toBeCloseTo((10 * Math.LN2) / 0.1 / 2, 9)
})
