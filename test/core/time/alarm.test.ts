import type { Clock } from 'lull/core'
import { expect, it } from 'vitest'
import { createAlarm } from '../../../src/core/time/alarm.ts'
import { createTestClock, recordTimers } from './clocks.ts'

const LONGEST_MS = 2e9

/** @param early by how many ms the first timers are early, each in turn. */
function setUp(early: number[] = [], startMs = 0) {
  const manual = createTestClock(startMs)
  const after: Clock['after'] = (delayMs, callback) => manual.after(delayMs - (early.shift() ?? 0), callback)
  const { clock, delays, cancelled } = recordTimers({ ...manual, after })
  const dues: number[] = []
  const alarm = createAlarm(clock, () => dues.push(manual.now()))
  return { manual, alarm, dues, delays, cancelled }
}

it.each<[does: string, sets: string, early: number[], dues: number[], delays: number[], cancelled: number[]]>(
  [
    ['is due at its instant, once', '0: 100', [], [100], [100], []],
    ['is never due at Infinity, and sets no timer', '0: Infinity', [], [], [], []],
    ['is due after an Infinity', '0: Infinity, 1000: 1005', [], [1005], [5], []],
    ['is set again for the rest when postponed', '0: 100, 30: 130, 60: 160', [], [160], [100, 60], []],
    ['can be moved earlier', '0: 100, 10: 40', [], [40], [100, 30], [100]],
    ['can be moved back and earlier up to its timer', '0: 100, 0: 500, 0: 200, 0: 100', [], [100], [100], []],
    ['has one timer up to the longest', `0: ${LONGEST_MS}`, [], [LONGEST_MS], [LONGEST_MS], []],
    ['has two timers beyond that', `0: ${LONGEST_MS + 1}`, [], [LONGEST_MS + 1], [LONGEST_MS, 1], []],
    ['has three timers', `0: ${2 ** 32}`, [], [2 ** 32], [LONGEST_MS, LONGEST_MS, 2 ** 32 - 4e9], []],
    ['is set again for the rest if its timer is early', '0: 100', [0.5], [100], [100, 0.5], []],
    ['is set again if its timer is 2 ms early', '0: 100', [2], [100], [100, 2], []],
    ['is set again each time its timer is early', '0: 100', [1, 0.5], [100], [100, 1, 0.5], []],
    ['is set again if early and postponed', '0: 100, 50: 150', [0.5, 0.5], [150], [100, 50.5, 0.5], []],
    ['is due if its timer is earlier: the clock does not move with it', '0: 100', [2.5], [97.5], [100], []],
    ['is due if its timer fires after half of the time', '0: 100', [50], [50], [100], []],
    ['is due if its timer fires at once', '0: 100', [100], [0], [100], []],
  ],
)('%s', (_, sets, early, ...expected) => {
  const { manual, alarm, dues, delays, cancelled } = setUp(early)
  for (const [at, due] of sets.split(', ').map((set) => set.split(': ').map(Number) as [number, number])) {
    manual.advance(at - manual.now())
    alarm.set(due)
  }
  manual.advance(1e15)
  expect([dues, delays, cancelled]).toEqual(expected)
})
