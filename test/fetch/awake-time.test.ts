import { expect, it } from 'vitest'
import type { Clock } from 'lull/core'
import { createAwakeTime } from '../../src/core/time/forward-time.ts'

function setUp(): {
  clock: Clock & { monotonic: number; ahead: number }
  time: ReturnType<typeof createAwakeTime>
} {
  const clock = {
    monotonic: 400,
    ahead: 1e12,
    now: () => clock.monotonic,
    wall: () => clock.monotonic + clock.ahead,
    after: () => () => undefined,
  }
  const time = createAwakeTime(clock)
  // It compares the clocks from the first reading on.
  time.now()
  return { clock, time }
}

it.each([
  [999, 0],
  [1000, 1000],
  [1001, 1001],
  [-5000, 0],
])('R46 when the wall goes %i ms further than the clock, %i were slept', (drift, slept) => {
  const { clock, time } = setUp()
  clock.ahead += drift
  for (let look = 0; look < 3; look++) expect(time.now()).toBe(400 + slept)
  clock.monotonic += 10
  expect(time.now()).toBe(410 + slept)
  expect(time.toClock(time.now())).toBe(410)
})

it('R46 drifts add up to a sleep', () => {
  const { clock, time } = setUp()
  clock.ahead += 600
  expect(time.now()).toBe(400)
  clock.ahead += 600
  expect(time.now()).toBe(1600)
})

it.each([-1000, -60_000])('R46 after the wall was set back by %i ms a sleep is told from there', (drift) => {
  const { clock, time } = setUp()
  clock.ahead += drift
  expect(time.now()).toBe(400)
  clock.ahead += 1000
  expect(time.now()).toBe(1400)
})

it('reads no clock before it is first asked', () => {
  const { clock } = setUp()
  const time = createAwakeTime({
    ...clock,
    now: () => {
      throw new Error('now')
    },
    wall: () => {
      throw new Error('wall')
    },
  })
  expect(() => time.now()).toThrow()
})

it('R46 what was reached is past, and what is past stays so', () => {
  const { clock, time } = setUp()
  time.reach(300)
  expect(time.now()).toBe(400)
  time.reach(1000)
  expect(time.now()).toBe(1000)
  expect(time.toClock(1500)).toBe(900)
  clock.monotonic += 50
  time.reach(1060)
  expect(time.now()).toBe(1060)
  time.reach(1060)
  expect(time.now()).toBe(1060)
})
