import type { FifoItem } from './fifo.ts'

/** Somebody in line: one who waits to be woken, or a reservation, which has been promised its instant. */
export interface Place extends FifoItem<Place> {
  cost: number
  /** Called when its turn has come. A reservation has none: nobody waits. */
  wake: (() => void) | undefined
  /** A reservation's instant. */
  at: number
  /** A reservation's rate, by which what later ones were promised is told. */
  ratePerSecond: number
  /** The instant that was promised last when it was booked. */
  promisedBefore: number
}

export const createPlace = (cost: number, at: number): Place => ({
  cost,
  at,
  ratePerSecond: 0,
  promisedBefore: 0,
  wake: undefined,
  ahead: undefined,
  behind: undefined,
})
