import { describe, expect, it } from 'vitest'
import {
  aimd,
  successRatio,
  type AimdOptions,
  type SuccessRatioOptions,
} from '../../../src/core/adaptive/rate-strategies.ts'
import { named } from '../shared/named.ts'

/** The rates after calls that have ended: `+` well, `-` not, `.` after another second without one. */
function rates(options: Partial<AimdOptions>, from: number, calls: string): number[] {
  const next = aimd({ increase: 10, decrease: 0.5, ...options })
  const after: number[] = []
  let rate = from
  let now = 0
  for (const call of calls) {
    if (call === '.') now += 1000
    else after.push((rate = next(rate, call === '+', now)))
  }
  return after
}

describe('aimd', () => {
  it('adds increase / rate for a success: the increase for as many as the rate says', () => {
    expect(rates({}, 100, '+')).toEqual([100.1])
    // So many pass in a second in which the rate rises from 100 to 110.
    expect(rates({}, 100, '+'.repeat(105)).at(-1)).toBeCloseTo(110, 1)
  })

  it('multiplies by decrease for a failure', () => {
    expect(rates({}, 100, '-')).toEqual([50])
    expect(aimd({ increase: 1 })(100, false, 0)).toBe(70)
  })

  it('decreases after minFailures in a row alone', () => {
    expect(rates({ minFailures: 3, minSuccesses: Infinity }, 100, '--+--+---')).toEqual([
      100, 100, 100, 100, 100, 100, 100, 100, 50,
    ])
    // Those while it is held do not count.
    expect(rates({ minFailures: 2 }, 100, '---.--')).toEqual([100, 50, 50, 50, 25])
  })
})

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
})
