/** Somebody in line: one who waits to be woken, or a reservation, which has been promised its instant. */
export interface Place {
  cost: number
  /** Called when its turn has come. A reservation has none: nobody waits. */
  wake?: (() => void) | undefined
  /** A reservation's instant. */
  at: number
  /** A reservation's rate, by which what later ones were promised is told. */
  ratePerSecond: number
  ahead: Place | undefined
  next: Place | undefined
}

/** A first-in first-out list that can be left from the middle. */
export interface Places {
  first: Place | undefined
  last: Place | undefined
}

export function append(places: Places, place: Place): void {
  place.ahead = places.last
  if (places.last) places.last.next = place
  else places.first = place
  places.last = place
}

export function unlink(places: Places, place: Place): void {
  if (place.ahead) place.ahead.next = place.next
  else places.first = place.next
  if (place.next) place.next.ahead = place.ahead
  else places.last = place.ahead
  // `next` stays, for whoever goes along the list and stands at this place.
  place.ahead = undefined
}

export const isLinked = (places: Places, place: Place): boolean => !!place.ahead || places.first === place

export const createPlace = (cost: number, at: number): Place => ({
  cost,
  at,
  ratePerSecond: 0,
  wake: undefined,
  ahead: undefined,
  next: undefined,
})
