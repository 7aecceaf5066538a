const HOLD_MS = 100

/** The schedule of the requests. */
export interface Plan {
  /** The next due instant; Infinity if there is none. */
  readonly nextAt: number
  /** Whether added instants remain. */
  readonly isPlanned: boolean
  readonly isHeld: boolean
  add: (instants: readonly number[]) => void
  /** Schedules ten requests a second from `at`; Infinity stops. */
  holdFrom: (at: number) => void
  /** Removes and returns the next instant. */
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
