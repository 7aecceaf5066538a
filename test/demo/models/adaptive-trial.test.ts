import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createAdaptiveTrial } from '../../../demo/src/playground/adaptive/adaptive-trial.ts'
import { createDemoTime } from '../../../demo/src/time/demo-time.ts'

it('finds the limit, follows its changes, and counts each call once: served, refused or not sent', () => {
  const real = createManualClock()
  const trial = createAdaptiveTrial(createDemoTime(real), { ratePerSecond: 20, load: 100 })
  const rate = () => trial.samples().at(-1)!.rate
  trial.setRunning(true)
  real.advance(60_000)
  // The limiter keeps probing above the limit.
  expect(rate()).toBeLessThan(20 + 6)
  expect(trial.used(20_000)).toBeGreaterThan(0.7)
  expect(trial.used(20_000)).toBeLessThanOrEqual(1.01)
  trial.configure({ ratePerSecond: 10, load: 100 })
  real.advance(10_000)
  expect(rate()).toBeLessThan(20)
  trial.configure({ ratePerSecond: 60, load: 100 })
  real.advance(20_000)
  expect(rate()).toBeGreaterThan(40)
  const { served, refused, held } = trial.log.tally()
  expect(served + refused + held).toBeGreaterThan(8990)
  expect(held).toBeGreaterThan(500)
})
