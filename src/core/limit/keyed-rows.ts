/** A page of rows: growing copies nothing, and a large table is not twice as large for a moment. */
interface Page {
  readonly cells: Float64Array
  readonly keys: (string | undefined)[]
  /** For each row the one used next before it, and the one used next after it. */
  readonly older: Int32Array
  readonly newer: Int32Array
  readonly usedAt: Float64Array | undefined
}

/** Rows of float64, found by key and kept in the order of their use. Every operation is O(1). */
export interface KeyedRows {
  size: () => number
  /** The row used longest ago: −1 if there is none. */
  oldest: () => number
  find: (key: string) => number | undefined
  /** A new row, the one last used. Its cells hold anything. */
  add: (key: string) => number
  /** Makes `row` the one last used, at `at`. */
  use: (row: number, at: number) => void
  remove: (row: number) => void
  clear: () => void
  cells: (row: number) => Float64Array
  /** Where in `cells(row)` the row begins. */
  offset: (row: number) => number
  /** The instant at which `row` was last used; at most `at`, if the clock was set back. */
  usedAt: (row: number, at: number) => number
}

const NONE = -1

/** A page has about this many float64: 32 kB. */
const PAGE_CELLS = 4096

/**
 * With two cells a row, about 60 bytes for each row at a million of them, most of it the map's, beside the key.
 *
 * @param isTimed whether `usedAt` is kept, at 8 bytes a row.
 */
export function createKeyedRows(width: number, isTimed: boolean): KeyedRows {
  // Rows to a page are a power of two.
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
