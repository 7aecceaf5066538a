const HOLD_MS = 100

/** When something is to be sent. */
export interface Plan {
  /** The next instant; Infinity if there is none. */
  readonly nextAt: number
  /** Whether anything was added that is not taken yet. */
  readonly isPlanned: boolean
  readonly isHeld: boolean
  add: (instants: readonly number[]) => void
  /** Ten a second from `at` on, until it is Infinity. */
  holdFrom: (at: number) => void
  /** Crosses off the next instant, and answers it. */
  take: () => number
}

export function createPlan(): Plan {
  let instants: number[] = []
  let holdAt = Infinity

  return {
    get nextAt() {
      return Math.min(instants[0] ?? Infinity, holdAt)
    },
    get isPlanned() {
      return instants.length > 0
    },
    get isHeld() {
      return holdAt < Infinity
    },
    add(more) {
      instants = [...instants, ...more].sort((a, b) => a - b)
    },
    holdFrom(at) {
      holdAt = at
    },
    take() {
      if (holdAt > instants[0]!) return instants.shift()!
      const at = holdAt
      holdAt += HOLD_MS
      return at
    },
  }
}
