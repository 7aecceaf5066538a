/** What stands in a line knows its neighbours, so that it can leave from the middle. */
export interface FifoItem<Item> {
  ahead: Item | undefined
  behind: Item | undefined
}

/** First in, first out; but anyone may leave. O(1) each. */
export interface Fifo<Item extends FifoItem<Item>> {
  readonly size: number
  readonly first: Item | undefined
  readonly last: Item | undefined
  /** Stands `item` in line: as the last, or before one that is in it. */
  push: (item: Item, before?: Item) => void
  /** Takes `item` out, which must be in this line. */
  remove: (item: Item) => void
  has: (item: Item) => boolean
}

export function createFifo<Item extends FifoItem<Item>>(): Fifo<Item> {
  let size = 0
  let first: Item | undefined
  let last: Item | undefined

  function link(ahead: Item | undefined, behind: Item | undefined): void {
    if (ahead) ahead.behind = behind
    else first = behind
    if (behind) behind.ahead = ahead
    else last = ahead
  }

  return {
    get size() {
      return size
    },
    get first() {
      return first
    },
    get last() {
      return last
    },
    push(item, before) {
      size++
      link(before ? before.ahead : last, item)
      link(item, before)
    },
    remove(item) {
      size--
      link(item.ahead, item.behind)
      item.ahead = item.behind = undefined
    },
    has: (item) => !!item.ahead || first === item,
  }
}
