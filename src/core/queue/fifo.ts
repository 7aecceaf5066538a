/** What stands in a line knows its neighbours, so that it can leave from the middle. */
export interface FifoItem<Item> {
  ahead: Item | undefined
  behind: Item | undefined
}

/**
 * First in, first out; but anyone may leave. O(1) each.
 *
 * What it tells is data, or a method: with a getter in a literal each object has a shape of its own, which costs ten times
 * as much to make, and which no call that sees several of them can be compiled for.
 */
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
  function link(ahead: Item | undefined, behind: Item | undefined): void {
    if (ahead) ahead.behind = behind
    else fifo.first = behind
    if (behind) behind.ahead = ahead
    else fifo.last = ahead
  }

  const fifo = {
    size: 0,
    first: undefined as Item | undefined,
    last: undefined as Item | undefined,
    push(item: Item, before?: Item): void {
      fifo.size++
      link(before ? before.ahead : fifo.last, item)
      link(item, before)
    },
    remove(item: Item): void {
      fifo.size--
      link(item.ahead, item.behind)
      item.ahead = item.behind = undefined
    },
    has: (item: Item): boolean => !!item.ahead || fifo.first === item,
  }
  return fifo
}
