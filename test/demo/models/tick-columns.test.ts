import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tickColumns } from '../../../demo/src/strips/tick-columns.ts'
import { forAll } from '../../laws/tries.ts'

it('counts the shown instants in columns that start at multiples of their length', () => {
  const ms = fc.nat(1000)
  forAll(500, fc.array(ms), ms, ms, fc.integer({ min: 1, max: 300 }), (any, from, length, columnMs) => {
    const instants = any.toSorted((a, b) => a - b)
    const to = from + length
    const starts = instants.filter((at) => at >= from && at <= to).map((at) => at - (at % columnMs))
    expect(tickColumns(instants, { from, to, columnMs })).toEqual(
      [...new Set(starts)].map((at) => ({ at, count: starts.filter((start) => start === at).length })),
    )
  })
})
