/** An instant to draw on one of `TURNS` lines. */
export interface Mark {
  at: number
  turn: number
}

export const TURNS = 3

/** Dots closer than this overlap, in ms. */
export const NEAR_MS = 150

/**
 * Returns a function that returns the line of each next mark.
 *
 * @param nearMs marks closer than this take turns on the lines and do not overlap.
 */
export function createTurn(nearMs: number): (at: number) => number {
  let last = -Infinity
  let turn = 0
  return (at) => {
    turn = at - last < nearMs ? (turn + 1) % TURNS : 0
    last = at
    return turn
  }
}
