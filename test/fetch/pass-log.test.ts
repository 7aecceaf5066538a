import { describe, expect, it } from 'vitest'
import { createPassLog, type PassLog } from '../../src/fetch/pass-log.ts'

/** What passes at those instants, all that was sent. */
function pass(log: PassLog, instants: readonly number[]): void {
  for (const at of instants) {
    log.sent(at)
    log.passed(at)
  }
}

const every = (ms: number, count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, index) => from + index * ms)

describe('what has passed until a refusal', () => {
  it('is counted from the first that was sent, in the order of sending', () => {
    const log = createPassLog()
    log.passed(5)
    log.sent(10)
    log.sent(20)
    for (const at of [9, 30, 10, 20]) log.passed(at)
    expect(log.ends(20, -Infinity)).toEqual({ passes: 2, ms: 10 })
  })

  it.each([
    [-Infinity, 4, 91],
    [9, 4, 91],
    [10, 3, 90],
    [11, 2, 70],
    [100, 1, 0],
    [101, 0, 0],
  ])('since %d is %i passes in %i ms', (since, passes, ms) => {
    const log = createPassLog()
    log.sent(9)
    for (const at of [100, 10, 30, 9]) log.passed(at)
    expect(log.ends(100, since)).toEqual({ passes, ms })
  })

  it('begins anew after the refusal: an answer to what was sent before it says nothing', () => {
    const log = createPassLog()
    pass(log, [0, 10])
    log.ends(20, -Infinity)
    log.passed(15)
    log.sent(50)
    log.passed(49)
    log.passed(50)
    expect(log.ends(60, -Infinity)).toEqual({ passes: 1, ms: 10 })
  })

  it('begins anew after a rest, unless nothing had passed', () => {
    const log = createPassLog()
    log.sent(0)
    log.rests()
    log.passed(0)
    expect(log.ends(0, -Infinity).passes).toBe(1)
    pass(log, [10, 20])
    log.rests()
    log.passed(25)
    pass(log, [30])
    expect(log.ends(40, -Infinity)).toEqual({ passes: 1, ms: 10 })
  })

  it.each([
    [512, 512],
    [513, 257],
  ])('of %i passes is the last %i', (count, passes) => {
    const log = createPassLog()
    pass(log, every(1, count))
    expect(log.ends(count, -Infinity)).toEqual({ passes, ms: passes })
  })
})

describe('the rate that is shown', () => {
  const shown = (instants: readonly number[], burst: number): number => {
    const log = createPassLog()
    pass(log, instants)
    return log.rateShown(burst)
  }

  it.each([
    [2, (8 / 900) * 1000],
    [6.5, (3.5 / 900) * 1000],
    [7, (3 / 900) * 1000],
    [7.5, 0],
    [8, 0],
  ])('beyond a burst of %d by at least 3 passes, by ten at 100 ms', (burst, rate) => {
    expect(shown(every(100, 10), burst)).toBe(rate)
  })

  it('is the highest of any stretch', () => {
    expect(shown([0, 1000, 1010, 1020, 1030, 2000], 1)).toBe(100)
    expect(shown([0, 1000, 1010, 1020, 2000], 1)).toBe(3)
  })

  it('is none if all came at once', () => {
    expect(shown([0, 0, 0, 0, 0, 0], 1)).toBe(0)
    expect(shown([], 1)).toBe(0)
  })

  it.each(['ends', 'rests'] as const)('is remembered of three times before this one, if it %s', (how) => {
    const log = createPassLog()
    const end = (at: number): unknown => (how === 'ends' ? log.ends(at, -Infinity) : log.rests())
    pass(log, every(10, 10))
    end(100)
    for (const from of [1000, 3000]) {
      pass(log, every(100, 10, from))
      log.rests()
      log.rests()
      expect(log.rateShown(1)).toBe(100)
    }
    pass(log, every(100, 10, 5000))
    expect(log.rateShown(1)).toBe(100)
    end(7000)
    expect(log.rateShown(1)).toBe(10)
  })

  it('is of the last 256 passes of a time that is over', () => {
    const log = createPassLog()
    pass(log, [...every(1, 10), ...every(10, 300, 20)])
    expect(log.rateShown(1)).toBe(1000)
    log.ends(4000, -Infinity)
    expect(log.rateShown(1)).toBe(100)
  })
})
