/** A page of rows. With pages, growth copies nothing and needs no memory for a second table. */
interface Page {
  readonly cells: Float64Array
  readonly keys: (string | undefined)[]
  /** For each row, the rows used just before and just after it. */
  readonly older: Int32Array
  readonly newer: Int32Array
  readonly usedAt: Float64Array | undefined
}

/** Rows of float64 with keys, in order of use. Every operation is O(1). */
export interface KeyedRows {
  size: () => number
  /** Returns the least recently used row, −1 if there is none. */
  oldest: () => number
  find: (key: string) => number | undefined
  /** Adds a row as the last used one. Its cells hold arbitrary values. */
  add: (key: string) => number
  /** Makes `row` the last used one, at `at`. */
  use: (row: number, at: number) => void
  remove: (row: number) => void
  clear: () => void
  cells: (row: number) => Float64Array
  /** Returns the index in `cells(row)` at which the row begins. */
  offset: (row: number) => number
  /** Returns the instant at which `row` was last used, lowered to `at` if the clock was set back. */
  usedAt: (row: number, at: number) => number
}

const NONE = -1

/** The number of float64 in a page: 32 kB. */
const PAGE_CELLS = 4096

/**
 * Creates rows of `width` cells. With two cells and a million rows, a row takes about 60 bytes, mostly in the map, besides its key.
 *
 * @param isTimed whether to keep `usedAt`, at 8 bytes a row.
 */
export function createKeyedRows(width: number, isTimed: boolean): KeyedRows {
  // The number of rows in a page is a power of two.
  const bits = Math.max(Math.floor(Math.log2(PAGE_CELLS / width)), 0)
  const mask = (1 << bits) - 1
  const rows = new Map<string, number>()
  let pages: Page[] = []
  let made = 0
  let oldest = NONE
  let newest = NONE
  // Removed rows, linked by `older`.
  let free = NONE

  const pageOf = (row: number): Page => pages[row >> bits]!

  function link(older: number, newer: number): void {
    if (older === NONE) oldest = newer
    else pageOf(older).newer[older & mask] = newer
    if (newer === NONE) newest = older
    else pageOf(newer).older[newer & mask] = older
  }

  function makeRow(): number {
    if (free !== NONE) {
      const row = free
      free = pageOf(row).older[row & mask]!
      return row
    }
    const inPage = mask + 1
    if (made >> bits === pages.length)
      pages.push({
        cells: new Float64Array(inPage * width),
        keys: new Array<string | undefined>(inPage).fill(undefined),
        older: new Int32Array(inPage),
        newer: new Int32Array(inPage),
        usedAt: isTimed ? new Float64Array(inPage) : undefined,
      })
    return made++
  }

  return {
    size: () => rows.size,
    oldest: () => oldest,
    find: (key) => rows.get(key),
    add(key) {
      const row = makeRow()
      rows.set(key, row)
      pageOf(row).keys[row & mask] = key
      link(newest, row)
      link(row, NONE)
      return row
    },
    use(row, at) {
      const page = pageOf(row)
      if (page.usedAt) page.usedAt[row & mask] = at
      if (row === newest) return
      link(page.older[row & mask]!, page.newer[row & mask]!)
      link(newest, row)
      link(row, NONE)
    },
    remove(row) {
      const { keys, older, newer } = pageOf(row)
      const index = row & mask
      rows.delete(keys[index]!)
      keys[index] = undefined
      link(older[index]!, newer[index]!)
      older[index] = free
      free = row
    },
    clear() {
      rows.clear()
      pages = []
      made = 0
      oldest = newest = free = NONE
    },
    cells: (row) => pageOf(row).cells,
    offset: (row) => (row & mask) * width,
    usedAt(row, at) {
      const usedAt = pageOf(row).usedAt!
      return (usedAt[row & mask] = Math.min(usedAt[row & mask]!, at))
    },
  }
}
