import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFifo, type FifoItem } from '../../../src/core/queue/fifo.ts'

interface Item extends FifoItem<Item> {
  n: number
}

const item = (n: number): Item => ({ n, ahead: undefined, behind: undefined })

it('answers as an array does, whoever comes, goes first and leaves', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant('push' as const) },
    { weight: 1, arbitrary: fc.constant('first' as const) },
    { weight: 2, arbitrary: fc.nat(30) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (script) => {
      const line = createFifo<Item>()
      const right: Item[] = []
      const leave = (item: Item | undefined) => {
        if (!item) return
        line.remove(item)
        right.splice(right.indexOf(item), 1)
        expect(item).toMatchObject({ ahead: undefined, behind: undefined })
      }
      for (const [n, what] of script.entries()) {
        if (what === 'push') {
          const pushed = item(n)
          line.push(pushed)
          right.push(pushed)
        } else leave(what === 'first' ? line.first : right[what])
        expect([line.size, line.first]).toEqual([right.length, right[0]])
      }
      const drained: number[] = []
      for (let { first } = line; first; first = line.first) {
        drained.push(first.n)
        line.remove(first)
      }
      expect(drained).toEqual(right.map(({ n }) => n))
      expect([line.size, line.first]).toEqual([0, undefined])
    }),
    { numRuns: 300, seed: 1 },
  )
})

it('takes back who has left, as the last', () => {
  const line = createFifo<Item>()
  const [a, b] = [item(1), item(2)]
  line.push(a)
  line.push(b)
  line.remove(a)
  line.push(a)
  expect(line.first).toBe(b)
  line.remove(b)
  expect([line.first, line.size]).toEqual([a, 1])
})
