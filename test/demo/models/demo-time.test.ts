import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createDemoTime } from '../../../demo/src/time/demo-time.ts'

/** A demo time on a manual clock, with frames of 16 ms. */
function setUp() {
  const real = createManualClock(4800)
  const time = createDemoTime(real)
  const log: string[] = []
  const after = (ms: number, word: string) =>
    time.clock.after(ms, () => log.push(`${word} at ${time.clock.now()}`))
  return { real, time, log, after }
}

it('passes like real time, and runs timers at their exact instants between frames', () => {
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

it('changes its speed from the current instant on', () => {
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

it('requests no frames while paused, and can be stepped', () => {
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

it('passes at most one second when no frame ran for longer', () => {
  const { real, time } = setUp()
  real.advance(3_600_000)
  time.catchUp()
  expect(time.clock.now()).toBe(1000)
})

it('notifies listeners of state changes and steps, and continues after a timer throws', () => {
  const { real, time, log, after } = setUp()
  let notified = 0
  const unsubscribe = time.subscribe(() => notified++)
  time.clock.after(10, () => {
    throw new Error('thrown by a panel')
  })
  after(100, 'later')
  expect(() => real.advance(16)).toThrow('thrown by a panel')
  real.advance(96)
  expect(log).toEqual(['later at 100'])
  time.setSpeed(0.5)
  time.step(10)
  expect(notified).toBe(2)
  unsubscribe()
  time.setPlaying(false)
  expect(notified).toBe(2)
})

it('runs frames in its own time', () => {
  const { real, time, log } = setUp()
  time.setSpeed(0.5)
  time.clock.frame!(() => log.push(`frame at ${time.clock.now()}`))
  real.advance(16)
  expect(log).toEqual([])
  real.advance(16)
  expect(log).toEqual(['frame at 16'])
})
