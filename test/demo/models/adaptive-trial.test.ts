import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createAdaptiveTrial } from '../../../demo/src/playground/adaptive/adaptive-trial.ts'
import { createDemoTime } from '../../../demo/src/time/demo-time.ts'

function setUp(ratePerSecond: number) {
  const real = createManualClock()
  const trial = createAdaptiveTrial(createDemoTime(real), { ratePerSecond, load: 100 })
  const rate = () => trial.samples().at(-1)!.rate
  return { real, trial, rate }
}

it.each([10, 20, 40])('finds a limit of %i per second, and stays near it', (limit) => {
  const { real, trial, rate } = setUp(limit)
  trial.setRunning(true)
  real.advance(60_000)
  // The limiter keeps probing above the limit.
  expect(rate()).toBeLessThan(limit + 6)
  expect(trial.used(20_000)).toBeGreaterThan(0.7)
  expect(trial.used(20_000)).toBeLessThanOrEqual(1.01)
})

it('follows a limit that changes', () => {
  const { real, trial, rate } = setUp(40)
  trial.setRunning(true)
  real.advance(40_000)
  trial.configure({ ratePerSecond: 10, load: 100 })
  real.advance(10_000)
  expect(rate()).toBeLessThan(20)
  trial.configure({ ratePerSecond: 60, load: 100 })
  real.advance(20_000)
  expect(rate()).toBeGreaterThan(40)
})

it('counts each call once: served, refused or not sent', () => {
  const { real, trial } = setUp(20)
  trial.setRunning(true)
  real.advance(10_000)
  const { served, refused, held } = trial.log.tally()
  expect(served + refused + held).toBeGreaterThan(990)
  expect(held).toBeGreaterThan(500)
})
