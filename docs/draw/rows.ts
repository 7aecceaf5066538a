/** What is drawn beside others: from where to where it reaches. */
export interface Extent {
  readonly left: number
  readonly right: number
}

/** Which row each is drawn in so that none covers another: the first that is free. */
export function rowsOf(extents: readonly Extent[]): number[] {
  const ends: number[] = []
  return extents.map(({ left, right }) => {
    const free = ends.findIndex((end) => end <= left + 0.01)
    const row = free < 0 ? ends.length : free
    ends[row] = right
    return row
  })
}
