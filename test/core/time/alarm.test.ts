import type { Clock } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createAlarm } from '../../../src/core/time/alarm.ts'
import { createTestClock, recordTimers } from './clocks.ts'

function setUp(change: (clock: Clock) => Clock = (clock) => clock, startMs = 0) {
  const manual = createTestClock(startMs)
  const { clock, delays, cancelled } = recordTimers(change(manual))
  const dues: number[] = []
  const alarm = createAlarm(clock, () => dues.push(manual.now()))
  return { manual, alarm, dues, delays, cancelled }
}

describe('set', () => {
  it('is due at its instant, once', () => {
    const { manual, alarm, dues, delays } = setUp()
    alarm.set(100)
    manual.advance(99)
    expect(dues).toEqual([])
    manual.advance(1)
    expect(dues).toEqual([100])
    manual.advance(1000)
    expect(dues).toEqual([100])
    expect(delays).toEqual([100])
  })

  it('is never due at Infinity, and sets no timer', () => {
    const { manual, alarm, dues, delays } = setUp()
    alarm.set(Infinity)
    expect(delays).toEqual([])
    manual.advance(1e15)
    expect(dues).toEqual([])
    alarm.set(1e15 + 5)
    manual.advance(5)
    expect(dues).toEqual([1e15 + 5])
  })

  it('is postponed without a timer call, and set again for the rest', () => {
    const { manual, alarm, dues, delays, cancelled } = setUp()
    alarm.set(100)
    manual.advance(30)
    alarm.set(130)
    manual.advance(30)
    alarm.set(160)
    expect(delays).toEqual([100])
    manual.advance(1000)
    expect(dues).toEqual([160])
    expect(delays).toEqual([100, 60])
    expect(cancelled).toEqual([])
  })

  it('can be moved earlier', () => {
    const { manual, alarm, dues, delays, cancelled } = setUp()
    alarm.set(100)
    manual.advance(10)
    alarm.set(40)
    manual.advance(1000)
    expect(dues).toEqual([40])
    expect(delays).toEqual([100, 30])
    expect(cancelled).toEqual([100])
  })

  it('can be postponed and moved earlier again, up to its timer', () => {
    const { manual, alarm, dues, delays, cancelled } = setUp()
    alarm.set(100)
    alarm.set(500)
    alarm.set(200)
    alarm.set(100)
    manual.advance(1000)
    expect(dues).toEqual([100])
    expect(delays).toEqual([100])
    expect(cancelled).toEqual([])
  })
})

describe('clear', () => {
  it('removes the alarm and its timer', () => {
    const { manual, alarm, dues, cancelled } = setUp()
    alarm.set(100)
    alarm.clear()
    expect(manual.pending).toBe(0)
    expect(cancelled).toEqual([100])
    alarm.clear()
    manual.advance(1000)
    expect(dues).toEqual([])
  })
})

describe('length', () => {
  const LONGEST_MS = 2 ** 31 - 1

  it.each([LONGEST_MS, 2 ** 31, 2 ** 32, 1e11])(
    'is exact after %d ms, with timers that a platform accepts',
    (at) => {
      const { manual, alarm, dues, delays } = setUp()
      alarm.set(at)
      manual.advance(at - 1)
      expect(dues).toEqual([])
      manual.advance(1)
      expect(dues).toEqual([at])
      expect(Math.max(...delays)).toBeLessThanOrEqual(LONGEST_MS)
      expect(delays).toHaveLength(Math.ceil(at / LONGEST_MS))
    },
  )

  it.each([0.1, 0.7, 123.456, 25_102.852341022208, 86_400_000.3])(
    'sets no longer timer than a platform accepts if the clock reads %d',
    (startMs) => {
      const { alarm, delays } = setUp(undefined, startMs)
      alarm.set(1e12)
      expect(delays).toHaveLength(1)
      expect(Math.ceil(delays[0]!)).toBeLessThanOrEqual(LONGEST_MS)
      alarm.clear()
    },
  )
})

describe('early timers', () => {
  /** A clock whose first timers fire early, each by the next of `byMs`. */
  const early =
    (...byMs: number[]) =>
    (clock: Clock): Clock => ({
      ...clock,
      after: (delayMs, callback) => clock.after(delayMs - (byMs.shift() ?? 0), callback),
    })

  it.each([
    { by: [0.5], dues: [100], delays: [100, 0.5] },
    { by: [2], dues: [100], delays: [100, 2] },
    { by: [1, 0.5], dues: [100], delays: [100, 1, 0.5] },
  ])('are set again for the rest, $by ms early', ({ by, ...expected }) => {
    const { manual, alarm, dues, delays } = setUp(early(...by))
    alarm.set(100)
    manual.advance(1000)
    expect({ dues, delays }).toEqual(expected)
  })

  it.each([2.5, 50, 100])('count as due if %d ms early: the clock does not move with them', (by) => {
    const { manual, alarm, dues, delays } = setUp(early(by))
    alarm.set(100)
    manual.advance(1000)
    expect(dues).toEqual([100 - by])
    expect(delays).toEqual([100])
  })

  it('are set again for the rest if the alarm was postponed meanwhile', () => {
    const { manual, alarm, dues } = setUp(early(0.5, 0.5))
    alarm.set(100)
    manual.advance(50)
    alarm.set(150)
    manual.advance(1000)
    expect(dues).toEqual([150])
  })
})
