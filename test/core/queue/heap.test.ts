import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHeap, type HeapItem } from '../../../src/core/queue/heap.ts'

interface Item extends HeapItem {
  order: number
}

const item = (order: number): Item => ({ order, place: -1 })
const isBefore = (a: Item, b: Item): boolean => a.order < b.order

function drain(heap: ReturnType<typeof createHeap<Item>>): number[] {
  const orders: number[] = []
  for (let next = heap.pop(); next; next = heap.pop()) orders.push(next.order)
  return orders
}

type Step = { do: 'push'; order: number } | { do: 'pop' | 'peek' } | { do: 'remove'; which: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('push' as const), order: fc.integer({ min: -20, max: 20 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pop' as const, 'peek' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(50) }) },
  ),
  { maxLength: 120, size: 'max' },
)

it('answers as a sorted array does, whatever is pushed, popped and taken out of the middle', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const heap = createHeap(isBefore)
      const all: Item[] = []
      const inside: Item[] = []
      const first = (): number | undefined => inside.toSorted((a, b) => a.order - b.order)[0]?.order
      // What the heap says after each step, and what is right.
      const said: unknown[] = []
      const right: unknown[] = []

      for (const step of script) {
        if (step.do === 'push') {
          const pushed = item(step.order)
          all.push(pushed)
          inside.push(pushed)
          heap.push(pushed)
        } else if (step.do === 'remove') {
          // Also one that is not there any more: nothing happens.
          const removed = all[step.which % Math.max(all.length, 1)]
          if (removed) heap.remove(removed)
          if (removed && inside.includes(removed)) inside.splice(inside.indexOf(removed), 1)
        } else {
          right.push(first())
          const got = heap[step.do]()
          said.push(got?.order)
          // Of several that are equal it may be any.
          if (got && step.do === 'pop') inside.splice(inside.indexOf(got), 1)
        }
        const places = inside.map(({ place }) => place).sort((a, b) => a - b)
        const outside = all.filter(({ place }) => place < 0).length
        said.push([heap.size(), heap.peek()?.order, outside, places.join()])
        right.push([inside.length, first(), all.length - inside.length, [...places.keys()].join()])
      }
      const rest = inside.map(({ order }) => order).sort((a, b) => a - b)
      expect([...said, drain(heap)]).toEqual([...right, rest])
    }),
    { numRuns: 300, seed: 1 },
  )
})

it('answers nothing when it is empty', () => {
  const heap = createHeap(isBefore)
  expect([heap.size(), heap.peek(), heap.pop()]).toEqual([0, undefined, undefined])
  const popped = item(1)
  heap.push(popped)
  expect(heap.pop()).toBe(popped)
  expect([heap.size(), heap.peek(), heap.pop()]).toEqual([0, undefined, undefined])
})

it('takes out each place of the middle, down and up the tree', () => {
  const orders = [1, 10, 2, 11, 12, 3, 4, 13, 14, 15, 16, 5, 6, 7, 8]
  for (const gone of orders) {
    const heap = createHeap(isBefore)
    const items = orders.map(item)
    for (const pushed of items) heap.push(pushed)
    const removed = items.find(({ order }) => order === gone)!
    heap.remove(removed)
    expect(removed.place).toBe(-1)
    expect(drain(heap)).toEqual(orders.filter((order) => order !== gone).sort((a, b) => a - b))
  }
})

it('leaves an item of another heap alone, and may then take it', () => {
  const one = createHeap(isBefore)
  const other = createHeap(isBefore)
  const [a, b] = [item(1), item(2)]
  one.push(a)
  one.push(item(3))
  other.push(b)
  one.remove(b)
  expect([one.size(), other.size()]).toEqual([2, 1])
  other.remove(b)
  one.push(b)
  expect(drain(one)).toEqual([1, 2, 3])
})

it('tells of all that it holds, and lets nobody change that', () => {
  const heap = createHeap(isBefore)
  for (const order of [3, 1, 2]) heap.push(item(order))
  const all = heap.all()
  expect(all.map(({ order }) => order).sort()).toEqual([1, 2, 3])
  all.length = 0
  expect(drain(heap)).toEqual([1, 2, 3])
})

it('holds ten thousand and lets go of them in any order, in steps that are a logarithm of that', () => {
  let comparisons = 0
  const heap = createHeap<Item>((a, b) => (comparisons++, isBefore(a, b)))
  const items = Array.from({ length: 10_000 }, (_, index) => item((index * 7919) % 10_007))
  for (const pushed of items) heap.push(pushed)
  for (const removed of items) heap.remove(removed)
  expect(heap.size()).toBe(0)
  // On the way up one for each level, on the way down two: for a push, and for a removal, which goes both ways.
  expect(comparisons).toBeLessThan(10_000 * 4 * Math.log2(10_000))
})
