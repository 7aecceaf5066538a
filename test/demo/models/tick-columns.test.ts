import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tickColumns } from '../../../demo/src/strips/tick-columns.ts'
import { tries } from '../../laws/tries.ts'

it('counts in columns that start at multiples of their length', () => {
  expect(tickColumns([0, 1, 9, 10, 31, 39, 40], { from: 0, to: 40, columnMs: 10 })).toEqual([
    { at: 0, count: 3 },
    { at: 10, count: 1 },
    { at: 30, count: 2 },
    { at: 40, count: 1 },
  ])
  // A picture that moves by less than a column shows the same columns.
  expect(tickColumns([12, 25], { from: 3, to: 40, columnMs: 10 })).toEqual([
    { at: 10, count: 1 },
    { at: 20, count: 1 },
  ])
})

it('counts every instant once, and has no empty column', () => {
  const instants = fc
    .array(fc.double({ min: 0, max: 1000, noNaN: true }), { maxLength: 200 })
    .map((all) => all.sort((a, b) => a - b))
  fc.assert(
    fc.property(
      instants,
      fc.double({ min: 0, max: 1000, noNaN: true }),
      fc.double({ min: 0, max: 1000, noNaN: true }),
      fc.double({ min: 0.1, max: 300, noNaN: true }),
      (all, from, length, columnMs) => {
        const to = from + length
        const columns = tickColumns(all, { from, to, columnMs })
        const shown = all.filter((at) => at >= from && at <= to)
        expect(columns.reduce((sum, { count }) => sum + count, 0)).toBe(shown.length)
        expect(columns.every(({ count }) => count > 0)).toBe(true)
        expect(columns.length).toBeLessThanOrEqual(Math.floor(length / columnMs) + 2)
      },
    ),
    tries(500),
  )
})
