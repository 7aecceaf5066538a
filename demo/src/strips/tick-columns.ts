export interface TickColumn {
  /** The start of the column. */
  at: number
  /** The number of instants in the column. */
  count: number
}

/**
 * Groups the instants from `from` to `to` into columns of `columnMs`, without the empty ones. With a column
 * per pixel, the number of marks is at most the width of the picture. Columns start at multiples of
 * `columnMs`, so they stay the same while the picture moves. O(columns · log n).
 *
 * @param instants in ascending order.
 */
export function tickColumns(
  instants: readonly number[],
  { from, to, columnMs }: { from: number; to: number; columnMs: number },
): TickColumn[] {
  const columns: TickColumn[] = []
  const end = indexFrom(instants, to, true)
  let index = indexFrom(instants, from)
  while (index < end) {
    const column = Math.floor(instants[index]! / columnMs)
    // A rounding error may put the start of the next column at this instant.
    const next = Math.min(Math.max(indexFrom(instants, (column + 1) * columnMs), index + 1), end)
    columns.push({ at: column * columnMs, count: next - index })
    index = next
  }
  return columns
}

/** The index of the first instant at or after `at`; with `isAfter`, after `at`. */
function indexFrom(instants: readonly number[], at: number, isAfter = false): number {
  let low = 0
  let high = instants.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (instants[middle]! < at || (isAfter && instants[middle] === at)) low = middle + 1
    else high = middle
  }
  return low
}
