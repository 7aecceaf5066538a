import { expect, it } from 'vitest'
import {
  aimd,
  successRatio,
  type AimdOptions,
  type SuccessRatioOptions,
} from '../../../src/core/adaptive/rate-strategies.ts'

/** Returns the rates after each character: `+` a success, `-` a failure, `.` a second without calls. */
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

it('aimd multiplies by decrease for a failure', () => {
  expect(rates({}, 100, '-')).toEqual([50])
  expect(aimd({ increase: 1 })(100, false, 0)).toBe(70)
})

it('aimd decreases only after minFailures in a row', () => {
  expect(rates({ minFailures: 3, minSuccesses: Infinity }, 100, '--+--+---')).toEqual([
    100, 100, 100, 100, 100, 100, 100, 100, 50,
  ])
  // Failures during the hold do not count.
  expect(rates({ minFailures: 2 }, 100, '---.--')).toEqual([100, 50, 50, 50, 25])
})

/** Returns the factor of the rate's change after each one-second interval of `[successes, failures]`. */
function factors(options: SuccessRatioOptions, intervals: [successes: number, failures: number][]): number[] {
  const next = successRatio({ intervalMs: 1000, ...options })
  let rate = 1
  const changes = [...intervals, [1, 0] as const].map(([successes, failures], second) => {
    const before = rate
    for (let n = 0; n < successes + failures; n++) rate = next(rate, n < successes, second * 1000)
    return Number((rate / before).toFixed(6))
  })
  expect(changes.shift()).toBe(1)
  return changes
}

/** Intervals of `[successes, failures]`. */
const over = (...intervals: [successes: number, failures: number][]) => intervals

const at80 = { target: 0.8 }
const twofold = { decrease: 0.5, increase: 2, minCalls: 1 }
it.each<[does: string, SuccessRatioOptions, intervals: [number, number][], factors: number[]]>([
  ['lowers the rate after an interval with too few successes', at80, [[79, 21]], [0.9]],
  ['keeps it if about the target succeeds', at80, [[80, 20]], [1]],
  ['leaves it up to the margin', at80, [[84, 16]], [1]],
  ['raises it from there', at80, [[86, 14]], [1.05]],
  ['raises it although the sum of target and margin is rounded up', { target: 0.9 }, [[95, 5]], [1.05]],
  // Also where target plus margin exceed 1.
  ['raises it if all succeed', { target: 0.99 }, over([100, 0], [995, 5]), [1.05, 1]],
  ['leaves it after few calls', {}, over([0, 9], [0, 10]), [1, 0.9]],
  ['counts each interval separately', {}, over([0, 20], [20, 0], [0, 9], [0, 9]), [0.9, 1.05, 1, 1]],
  ['accepts other factors', twofold, over([0, 1], [1, 0]), [0.5, 2]],
])('successRatio %s', (_, options, intervals, expected) => {
  expect(factors(options, intervals)).toEqual(expected)
})
