/** An entry of a heap. It is in one heap at most. */
export interface HeapEntry {
  /** The lowest is first. */
  readonly rank: number
  /** The order of entries with equal ranks. Two entries never have the same. */
  readonly number: number
  /** Its index while it is in a heap. */
  index: number
}

// A heap is an array whose first entry is next. An entry at index i is before those at 2i + 1 and 2i + 2.

const isBefore = (a: HeapEntry, b: HeapEntry): boolean => (a.rank - b.rank || a.number - b.number) < 0

export const isIn = <Entry extends HeapEntry>(heap: readonly Entry[], entry: Entry): boolean =>
  heap[entry.index] === entry

/** Puts `entry` at `index`, which is free, or where it belongs above or below. O(log n). */
export function put<Entry extends HeapEntry>(heap: Entry[], entry: Entry, index: number): void {
  let next: number
  for (; index > 0 && isBefore(entry, heap[(next = (index - 1) >> 1)]!); index = next)
    (heap[index] = heap[next]!).index = index
  for (; (next = 2 * index + 1) < heap.length; index = next) {
    if (next + 1 < heap.length && isBefore(heap[next + 1]!, heap[next]!)) next++
    if (isBefore(entry, heap[next]!)) break
    ;(heap[index] = heap[next]!).index = index
  }
  ;(heap[index] = entry).index = index
}

/** Removes `entry`. Returns whether it was in the heap. O(log n). */
export function remove<Entry extends HeapEntry>(heap: Entry[], entry: Entry): boolean {
  const wasIn = isIn(heap, entry)
  if (wasIn) {
    const last = heap.pop()!
    if (last !== entry) put(heap, last, entry.index)
  }
  return wasIn
}
