/** Entries in an order: whatever waits for its turn. An entry can be in several queues. */
export interface OrderedQueue<Entry> {
  size: () => number
  has: (entry: Entry) => boolean
  /** The entry whose turn is next. */
  first: () => Entry | undefined
  /** All entries in order, as an array that stays as it is when they leave. */
  all: () => Entry[]
  /** Adds `entry`, which must not be in the queue, behind its equals. */
  add: (entry: Entry) => void
  /** Removes `entry`, from wherever it is, if it is in the queue. Returns whether it was. */
  remove: (entry: Entry) => boolean
}

/**
 * A queue in the order of `isBefore`; without it, first in, first out. Only `add` asks `isBefore`: to move an entry that
 * compares differently now, remove it and add it again.
 *
 * It is a sorted array: `add` searches in O(log n), and what moves is pointers; removing the first takes O(1). A skip list would be
 * faster from some ten thousand entries on, with three times the code.
 */
export function createOrderedQueue<Entry extends object>(
  isBefore: (entry: Entry, other: Entry) => boolean = () => false,
): OrderedQueue<Entry> {
  const entries: (Entry | undefined)[] = []
  /** The place of the first. The places before it are empty, at most as many as are left. */
  let head = 0
  const members = new Set<Entry>()
  return {
    size: () => members.size,
    has: (entry) => members.has(entry),
    first: () => entries[head],
    all: () => entries.slice(head) as Entry[],
    add(entry) {
      let low = head
      for (let high = entries.length; low < high;) {
        const middle = (low + high) >> 1
        if (isBefore(entry, entries[middle]!)) high = middle
        else low = middle + 1
      }
      members.add(entry)
      entries.splice(low, 0, entry)
    },
    remove(entry) {
      const wasIn = members.delete(entry)
      if (entries[head] === entry) {
        entries[head++] = undefined
        if (head > entries.length / 2) {
          entries.splice(0, head)
          head = 0
        }
      } else if (wasIn) entries.splice(entries.indexOf(entry, head), 1)
      return wasIn
    },
  }
}
