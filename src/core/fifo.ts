/** What stands in a line knows its neighbours, so that it can leave from the middle. */
export interface FifoItem<Item> {
  ahead: Item | undefined
  behind: Item | undefined
}

/** First in, first out; but anyone may leave. O(1) each. */
export interface Fifo<Item extends FifoItem<Item>> {
  readonly size: number
  readonly first: Item | undefined
  push: (item: Item) => void
  /** Takes `item` out, which must be in this line. */
  remove: (item: Item) => void
}

export function createFifo<Item extends FifoItem<Item>>(): Fifo<Item> {
  let size = 0
  let first: Item | undefined
  let last: Item | undefined

  return {
    get size() {
      return size
    },
    get first() {
      return first
    },
    push(item) {
      size++
      item.ahead = last
      if (last) last.behind = item
      else first = item
      last = item
    },
    remove(item) {
      const { ahead, behind } = item
      size--
      if (ahead) ahead.behind = behind
      else first = behind
      if (behind) behind.ahead = ahead
      else last = ahead
      item.ahead = item.behind = undefined
    },
  }
}
