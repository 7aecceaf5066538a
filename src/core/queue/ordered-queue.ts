/** An ordered collection of waiting entries. An entry can be in several queues. */
export interface OrderedQueue<Entry> {
  size: () => number
  has: (entry: Entry) => boolean
  /** Returns the next entry. */
  first: () => Entry | undefined
  /** Returns all entries in order, as a new array. */
  all: () => Entry[]
  /** Adds `entry`, which must not be in the queue, behind equal ones. */
  add: (entry: Entry) => void
  /** Removes `entry`. Returns whether it was in the queue. */
  remove: (entry: Entry) => boolean
}

/**
 * Creates a queue in the order of `isBefore`, which only `add` calls. To move an entry whose order has changed, remove it and add it
 * again.
 *
 * It is a sorted array: `add` searches in O(log n) and moves only pointers; removing the first entry takes O(1). A heap is faster
 * above about ten thousand entries, but cannot list them in order, and compares entries when it removes one.
 */
export function createOrderedQueue<Entry extends object>(
  isBefore: (entry: Entry, other: Entry) => boolean,
): OrderedQueue<Entry> {
  const entries: (Entry | undefined)[] = []
  /** The index of the first entry. The places before it are empty, and are at most as many as the entries. */
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
      } else if (wasIn) entries.splice(entries.lastIndexOf(entry), 1)
      return wasIn
    },
  }
}
