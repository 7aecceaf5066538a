import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createForwardTime } from '../../../src/core/time/forward-time.ts'
import { createAdjustableClock } from './adjustable-clock.ts'
import { tries } from '../../laws/tries.ts'

it('stands still when the clock is set back, and continues from there', () => {
  const clock = createAdjustableClock(1000)
  const time = createForwardTime(clock)
  expect(time.now()).toBe(1000)
  clock.adjust(-400)
  expect(time.now()).toBe(1000)
  clock.advance(50)
  expect(time.now()).toBe(1050)
  expect(time.toClock(1050)).toBe(650)
  clock.adjust(-50)
  expect([time.now(), time.toClock(1060)]).toEqual([1050, 610])
})

it('is the sum of the forward steps between readings', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 1000 })), (steps) => {
      const clock = createAdjustableClock(0)
      const time = createForwardTime(clock)
      let right = time.now()
      for (const step of steps) {
        clock.adjust(step)
        right += Math.max(step, 0)
        expect(time.now()).toBe(right)
        expect(time.toClock(right)).toBe(clock.now())
      }
    }),
    tries(200),
  )
})
