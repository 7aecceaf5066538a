export interface TickColumn {
  /** Where its time begins. */
  at: number
  /** How many instants are in it. */
  count: number
}

/**
 * The instants from `from` to `to` in columns of `columnMs`, without the empty ones: so all are shown by as many marks as the
 * picture has pixels, and each mark can say how many it stands for. Columns begin at the multiples of `columnMs`, so that they
 * stay the same ones while the picture moves. O(columns · log n).
 *
 * @param instants in their order.
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
    // By rounding the next column may seem to begin at this very instant.
    const next = Math.min(Math.max(indexFrom(instants, (column + 1) * columnMs), index + 1), end)
    columns.push({ at: column * columnMs, count: next - index })
    index = next
  }
  return columns
}

/** The index of the first instant that is at `at` or later; with `isAfter`, later. */
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
