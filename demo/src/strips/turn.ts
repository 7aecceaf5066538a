/** Something to be drawn at its instant, on one of a few lines. */
export interface Mark {
  at: number
  turn: number
}

export const TURNS = 3

/** So near are dots that hide each other, in ms. */
export const NEAR_MS = 150

/**
 * Says on which line the next mark is.
 *
 * @param nearMs marks that are nearer than this take turns, so that they do not hide each other.
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
