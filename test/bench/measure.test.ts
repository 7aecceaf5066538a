import { expect, it } from 'vitest'
import { compare, median, quantile, summarize } from '../../bench/measure.js'

it('a median is the middle number, or the mean of the two in the middle', () => {
  expect(median([5, 1, 3])).toBe(3)
  expect(median([1, 2, 4, 8])).toBe(3)
  expect(median([7])).toBe(7)
})

it('a quantile between two numbers is interpolated', () => {
  expect(quantile([4, 0, 2, 1, 3], 0.25)).toBe(1)
  expect(quantile([10, 20], 0.25)).toBe(12.5)
})

it('a multiple is the median of the multiples of each round, not the multiple of the medians', () => {
  const rounds = Object.entries({ 'by hand': [1, 10, 100], ours: [2, 20, 50] })
  const [base, other] = summarize(rounds)
  expect(base).toEqual({ name: 'by hand', median: 10, ratio: 1, low: 1, high: 1 })
  expect(other).toEqual({ name: 'ours', median: 20, ratio: 2, low: 1.25, high: 2 })
})

it('there is no multiple of 0', () => {
  const [base, other] = summarize(Object.entries({ 'by hand': [0, 0], ours: [1, 2] }))
  expect(base).toEqual({ name: 'by hand', median: 0 })
  expect(other).toEqual({ name: 'ours', median: 1.5 })
})

it('each round begins with another candidate, and the warm-up does not count', async () => {
  const calls: string[] = []
  let number = 0
  const candidate = (name: string) => () => {
    calls.push(name)
    return ++number
  }
  const { rows, rounds } = await compare({
    title: 'Counting',
    unit: 'ns',
    candidates: { a: candidate('a'), b: candidate('b') },
    rounds: 2,
    warmUp: 1,
  })
  expect(calls.join('')).toBe('abbaab')
  expect(rounds).toBe(2)
  // `a` measured 1, 4, 5 and `b` 2, 3, 6, without the first round.
  expect(rows.map(({ median }) => median)).toEqual([4.5, 4.5])
})

it('a candidate that returns no number fails', async () => {
  const comparison = { title: 'Nothing', unit: 'ns', candidates: { a: () => NaN }, rounds: 1, warmUp: 0 }
  await expect(compare(comparison)).rejects.toThrow('Nothing: a measured NaN')
})
