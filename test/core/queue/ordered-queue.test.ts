import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createOrderedQueue } from '../../../src/core/queue/ordered-queue.ts'
import { scriptsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'

interface Entry {
  rank: number
}

const isBefore = (a: Entry, b: Entry): boolean => a.rank < b.rank

const steps = scriptsOf(150, {
  add: [5, { rank: fc.integer({ min: -9, max: 9 }) }],
  remove: [2, { index: fc.nat(60) }],
  removeFirst: 1,
})

for (const [name, order] of [
  ['in order, equals as they came', isBefore],
  ['in order, equals the other way round', (a: Entry, b: Entry): boolean => a.rank <= b.rank],
  ['first in, first out', () => false],
] as const)
  it(`is a list that is kept ${name}`, () => {
    forAll(1000, steps, (script) => {
      const queue = createOrderedQueue<Entry>(order)
      const known: Entry[] = []
      let right: Entry[] = []
      for (const step of script) {
        if (step.do === 'add') {
          const entry = { rank: step.rank }
          let index = right.length
          while (index > 0 && order(entry, right[index - 1]!)) index--
          right.splice(index, 0, entry)
          known.push(entry)
          queue.add(entry)
        } else {
          const entry = step.do === 'remove' ? known[step.index] : queue.first()
          if (!entry) continue
          expect(queue.remove(entry)).toBe(right.includes(entry))
          right = right.filter((other) => other !== entry)
        }
        expect(queue.all()).toEqual(right)
        expect([queue.size(), queue.first()]).toEqual([right.length, right[0]])
      }
      expect(known.map(queue.has)).toEqual(known.map((entry) => right.includes(entry)))
    })
  })

it.each([
  ['as they come', () => 0],
  ['of three priorities that age', (index: number) => (index % 3) + index / 2000],
  ['half of them urgent, after the rest', (index: number) => (index < 10_000 ? 1 : 0)],
  ['in any order', (index: number) => (index * 48_271) % 20_011],
  ['each before all others', (index: number) => -index],
])('adds 20,000 entries %s with few comparisons each', (_name, rankOf) => {
  let comparisons = 0
  const queue = createOrderedQueue<Entry>((a, b) => {
    comparisons++
    return isBefore(a, b)
  })
  let worst = 0
  for (let index = 0; index < 20_000; index++) {
    const before = comparisons
    queue.add({ rank: rankOf(index) })
    worst = Math.max(worst, comparisons - before)
  }
  expect(worst).toBeLessThan(16)
})
