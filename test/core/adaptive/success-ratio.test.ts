import { describe, expect, it } from 'vitest'
import { successRatio, type SuccessRatioOptions } from '../../../src/core/adaptive/rate-strategies.ts'
import { named } from '../shared/named.ts'

/** The factors by which a rate changes, as intervals of a second end that had so many `[successes, failures]`. */
function factors(options: SuccessRatioOptions, intervals: [successes: number, failures: number][]): number[] {
  const next = successRatio({ intervalMs: 1000, ...options })
  let rate = 1
  let now = 0
  const found: number[] = []
  const call = (isSuccess: boolean): void => {
    const before = rate
    rate = next(rate, isSuccess, now)
    if (rate !== before) found.push(rate / before)
  }
  for (const [successes, failures] of [...intervals, [1, 0] as const]) {
    const changesBefore = found.length
    for (let n = 0; n < successes; n++) call(true)
    for (let n = 0; n < failures; n++) call(false)
    if (found.length === changesBefore && now > 0) found.push(1)
    now += 1000
  }
  return found.map((factor) => Number(factor.toFixed(6)))
}

describe('successRatio', () => {
  it.each(
    named<{
      does: string
      options?: SuccessRatioOptions
      intervals: [successes: number, failures: number][]
      factors: number[]
    }>([
      {
        does: 'lowers the rate after an interval with too few successes',
        options: { target: 0.8 },
        intervals: [[79, 21]],
        factors: [0.9],
      },
      {
        does: 'leaves it where about as many succeed as should',
        options: { target: 0.8 },
        intervals: [[80, 20]],
        factors: [1],
      },
      { does: 'leaves it up to the margin', options: { target: 0.8 }, intervals: [[84, 16]], factors: [1] },
      { does: 'raises it from there', options: { target: 0.8 }, intervals: [[86, 14]], factors: [1.05] },
      {
        does: 'raises it if all succeed, even if no more can than target and margin say',
        options: { target: 0.99 },
        intervals: [
          [100, 0],
          [995, 5],
        ],
        factors: [1.05, 1],
      },
      {
        does: 'leaves it after few calls',
        intervals: [
          [0, 9],
          [0, 10],
        ],
        factors: [1, 0.9],
      },
      {
        does: 'begins each interval anew',
        intervals: [
          [0, 20],
          [20, 0],
          [0, 9],
          [0, 9],
        ],
        factors: [0.9, 1.05, 1, 1],
      },
      {
        does: 'takes other factors',
        options: { decrease: 0.5, increase: 2, minCalls: 1 },
        intervals: [
          [0, 1],
          [1, 0],
        ],
        factors: [0.5, 2],
      },
    ]),
  )('%s', (_, { options = {}, intervals, factors: expected }) => {
    expect(factors(options, intervals)).toEqual(expected)
  })

  it('ends an interval with the first call after its time, and begins the next then', () => {
    const next = successRatio({ intervalMs: 1000, minCalls: 2 })
    const at = (now: number, isSuccess: boolean) => next(100, isSuccess, now)
    expect([at(500, false), at(1499, false), at(1500, true)]).toEqual([100, 100, 90])
    // 1500 to 2500.
    expect([at(2499, true), at(5000, false), at(5999, false), at(6000, false)]).toEqual([100, 105, 100, 90])
  })

  it.each([
    [{ target: 0 }, 'Expected target > 0, got 0'],
    [{ target: 1.1 }, 'Expected target <= 1, got 1.1'],
    [{ margin: -1 }, 'Expected margin >= 0, got -1'],
    [{ intervalMs: 0 }, 'Expected intervalMs > 0, got 0'],
    [{ minCalls: 0 }, 'Expected minCalls >= 1, got 0'],
    [{ decrease: 0 }, 'Expected decrease > 0, got 0'],
    [{ decrease: 2 }, 'Expected decrease <= 1, got 2'],
    [{ increase: 0.9 }, 'Expected increase >= 1, got 0.9'],
  ])('throws for %o', (options, message) => {
    expect(() => successRatio(options)).toThrow(new RangeError(message))
  })
})
