/** `select` that answers the same object again as long as it is asked about the same one. */
export function createSelector<Whole, Selected>(
  select: (whole: Whole) => Selected,
): (whole: Whole) => Selected {
  let last: { whole: Whole; selected: Selected } | undefined
  return (whole) => {
    if (!last || last.whole !== whole) last = { whole, selected: select(whole) }
    return last.selected
  }
}
