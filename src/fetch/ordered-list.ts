/** Entries in the order of `isBefore`, in an array that moves as it changes. */
export interface OrderedList<Entry> {
  readonly all: Entry[]
  /** O(log n), but for the move. */
  add: (entry: Entry) => void
  /** Returns whether it was there. */
  remove: (entry: Entry) => boolean
}

export function createOrderedList<Entry>(isBefore: (a: Entry, b: Entry) => boolean): OrderedList<Entry> {
  const all: Entry[] = []

  /** The place of `entry`, or where it belongs. */
  function placeOf(entry: Entry): number {
    let from = 0
    for (let to = all.length; from < to;) {
      const middle = (from + to) >> 1
      if (isBefore(all[middle]!, entry)) from = middle + 1
      else to = middle
    }
    return from
  }

  return {
    all,
    add: (entry) => void all.splice(placeOf(entry), 0, entry),
    remove(entry) {
      let place = placeOf(entry)
      // Entries may be equal, and what orders them may just have changed.
      if (all[place] !== entry) place = all.indexOf(entry)
      return place >= 0 && all.splice(place, 1).length > 0
    },
  }
}
