/** The horizontal extent of a mark. */
export interface Extent {
  readonly left: number
  readonly right: number
}

/** Assigns each extent to the first free row, so that none overlap. */
export function rowsOf(extents: readonly Extent[]): number[] {
  const ends: number[] = []
  return extents.map(({ left, right }) => {
    const free = ends.findIndex((end) => end <= left + 0.01)
    const row = free < 0 ? ends.length : free
    ends[row] = right
    return row
  })
}
