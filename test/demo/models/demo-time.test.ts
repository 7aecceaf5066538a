import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createDemoTime } from '../../../demo/src/time/demo-time.ts'

/** A time whose real one is stepped too, in frames of 16 ms. */
function setUp() {
  const real = createManualClock(4800)
  const time = createDemoTime(real)
  const log: string[] = []
  const after = (ms: number, word: string) =>
    time.clock.after(ms, () => log.push(`${word} at ${time.clock.now()}`))
  return { real, time, log, after }
}

it('passes as real time does, and calls back when due, however late the frame is', () => {
  const { real, time, log, after } = setUp()
  after(100, 'a')
  after(30, 'b')
  real.advance(112)
  expect(log).toEqual(['b at 30', 'a at 100'])
  expect(real.pending).toBe(0)
  real.advance(50)
  time.catchUp()
  expect(time.clock.now()).toBe(162)
})

it('goes at the speed it is set to from then on', () => {
  const { real, time, log, after } = setUp()
  real.advance(100)
  time.setSpeed(0.1)
  after(10, 'slow')
  real.advance(92)
  expect(log).toEqual([])
  real.advance(16)
  expect(log).toEqual(['slow at 110'])
  real.advance(92)
  time.catchUp()
  expect(time.clock.now()).toBeCloseTo(120, 9)
})

it('stands still when paused, without a frame, and is stepped', () => {
  const { real, time, log, after } = setUp()
  after(50, 'a')
  after(60, 'b')
  time.setPlaying(false)
  real.advance(1000)
  expect(real.pending).toBe(0)
  expect(time.clock.now()).toBe(0)
  time.step(50)
  expect(log).toEqual(['a at 50'])
  time.setPlaying(true)
  real.advance(24)
  expect(log).toEqual(['a at 50', 'b at 60'])
})

it('has stood still while no frame came, but for a second', () => {
  const { real, time } = setUp()
  real.advance(3_600_000)
  time.catchUp()
  expect(time.clock.now()).toBe(1000)
})

it('tells who listens of its state and of steps, and goes on after what throws', () => {
  const { real, time, log, after } = setUp()
  let told = 0
  const unsubscribe = time.subscribe(() => told++)
  time.clock.after(10, () => {
    throw new Error('thrown by a panel')
  })
  after(100, 'later')
  expect(() => real.advance(16)).toThrow('thrown by a panel')
  real.advance(96)
  expect(log).toEqual(['later at 100'])
  time.setSpeed(0.5)
  time.step(10)
  expect(told).toBe(2)
  unsubscribe()
  time.setPlaying(false)
  expect(told).toBe(2)
})

it('gives frames of its own', () => {
  const { real, time, log } = setUp()
  time.setSpeed(0.5)
  time.clock.frame!(() => log.push(`frame at ${time.clock.now()}`))
  real.advance(16)
  expect(log).toEqual([])
  real.advance(16)
  expect(log).toEqual(['frame at 16'])
})
