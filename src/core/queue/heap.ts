/** What lies in a heap knows its place there, so that it can be taken out from the middle. */
export interface HeapItem {
  /** Its place in the heap's array; −1 outside. */
  place: number
}

/** A priority queue: `peek` and `pop` answer the item that `isBefore` puts before all others. */
export interface Heap<Item extends HeapItem> {
  size: () => number
  peek: () => Item | undefined
  /** O(log n). */
  push: (item: Item) => void
  /** O(log n). */
  pop: () => Item | undefined
  /** Takes `item` out if it is in this heap. O(log n). */
  remove: (item: Item) => void
  /** All of them, in no order. */
  all: () => Item[]
}

/** A binary heap. An item may be in one heap at a time. */
export function createHeap<Item extends HeapItem>(isBefore: (a: Item, b: Item) => boolean): Heap<Item> {
  const items: Item[] = []

  function put(item: Item, place: number): void {
    items[place] = item
    item.place = place
  }

  function rise(item: Item, place: number): void {
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!isBefore(item, items[above]!)) break
      put(items[above]!, place)
      place = above
    }
    put(item, place)
  }

  function sink(item: Item, place: number): void {
    for (;;) {
      let below = 2 * place + 1
      if (below >= items.length) break
      if (below + 1 < items.length && isBefore(items[below + 1]!, items[below]!)) below++
      if (!isBefore(items[below]!, item)) break
      put(items[below]!, place)
      place = below
    }
    put(item, place)
  }

  function remove(item: Item): void {
    const place = item.place
    if (items[place] !== item) return
    const last = items.pop()!
    item.place = -1
    if (last === item) return
    sink(last, place)
    rise(last, last.place)
  }

  return {
    size: () => items.length,
    peek: () => items[0],
    push: (item) => rise(item, items.length),
    pop() {
      const first = items[0]
      if (first) remove(first)
      return first
    },
    remove,
    all: () => items.slice(),
  }
}
