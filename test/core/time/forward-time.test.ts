import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAwakeTime, createForwardTime } from '../../../src/core/time/forward-time.ts'
import { createAdjustableClock } from './clocks.ts'
import { forAll } from '../../laws/tries.ts'

it('is the sum of the forward steps between readings, so it stands still when the clock is set back', () => {
  forAll(200, fc.array(fc.integer({ min: -500, max: 1000 })), (steps) => {
    const clock = createAdjustableClock(0)
    const time = createForwardTime(clock)
    let right = time.now()
    for (const step of steps) {
      clock.adjust(step)
      right += Math.max(step, 0)
      expect(time.now()).toBe(right)
      expect([time.toClock(right), time.toClock(right + 10)]).toEqual([clock.now(), clock.now() + 10])
    }
  })
})

/** A clock whose monotonic and wall instants are set apart, and its awake time, after the first reading. */
function startAwake() {
  const clock = { at: 1000, wallAt: 5e6, now: () => clock.at, wall: () => clock.wallAt }
  const time = createAwakeTime(clock)
  expect(time.now()).toBe(1000)
  return { clock, time }
}

it.each<[does: string, step: { at?: number; wallAt?: number }, passedMs: number]>([
  ['moves with the clock', { at: 50, wallAt: 50 }, 50],
  ['adds a sleep, which only the wall clock counted', { wallAt: 60_000 }, 60_000],
  ['takes a wall clock that is ahead by less than a second as adjusted', { wallAt: 999 }, 0],
  ['takes one that is ahead by a second as a sleep', { wallAt: 1000 }, 1000],
  ['stands still when the clock is set back', { at: -400 }, 0],
  ['stands still when the wall clock is set back', { wallAt: -1e6 }, 0],
  ['ignores a wall clock that is no number', { wallAt: Infinity }, 0],
])('awake time %s, and continues from there', (_, { at = 0, wallAt = 0 }, passedMs) => {
  const { clock, time } = startAwake()
  clock.at += at
  clock.wallAt += wallAt
  expect(time.now()).toBe(1000 + passedMs)
  expect(time.toClock(time.now())).toBe(clock.at)
  clock.at += 20
  clock.wallAt += 20
  expect(time.now()).toBe(1020 + passedMs)
})

it('awake time is moved forward by a timer of a clock that stands still, and never back', () => {
  const { clock, time } = startAwake()
  time.reach(1500)
  expect([time.now(), time.toClock(1500)]).toEqual([1500, 1000])
  time.reach(1200)
  clock.at += 10
  expect(time.now()).toBe(1510)
})
