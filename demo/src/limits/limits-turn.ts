/** Something to be drawn at its instant, on one of a few lines. */
export interface Mark {
  at: number
  turn: number
}

export const TURNS = 3

/** Marks that are nearer than this take turns, so that they do not hide each other. */
const NEAR_MS = 150

/** Says on which line the next mark is. */
export function createTurn(): (at: number) => number {
  let last = -Infinity
  let turn = 0
  return (at) => {
    turn = at - last < NEAR_MS ? (turn + 1) % TURNS : 0
    last = at
    return turn
  }
}
