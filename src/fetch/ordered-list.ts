type IsBefore<Entry> = (a: Entry, b: Entry) => boolean

/** The place of `entry` in a list of this order, or where it belongs. O(log n). */
function placeIn<Entry>(list: readonly Entry[], entry: Entry, isBefore: IsBefore<Entry>): number {
  let from = 0
  for (let to = list.length; from < to;) {
    const middle = (from + to) >> 1
    if (isBefore(list[middle]!, entry)) from = middle + 1
    else to = middle
  }
  return from
}

/** Adds `entry`. */
export function insert<Entry>(list: Entry[], entry: Entry, isBefore: IsBefore<Entry>): void {
  list.splice(placeIn(list, entry, isBefore), 0, entry)
}

/** Returns whether it was there. */
export function remove<Entry>(list: Entry[], entry: Entry, isBefore: IsBefore<Entry>): boolean {
  let place = placeIn(list, entry, isBefore)
  // Entries may be equal, and what orders them may just have changed.
  if (list[place] !== entry) place = list.indexOf(entry)
  return place >= 0 && list.splice(place, 1).length > 0
}
