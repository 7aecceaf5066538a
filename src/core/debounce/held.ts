/** Something whose run may be due: what a user interface shows as "pending". */
export interface Pending {
  /** Whether a run is due. */
  isPending: () => boolean
  /** Calls `listener` whenever `isPending` may have changed; the function returned stops that. */
  subscribe: (listener: () => void) => () => void
}

/** A function held back. Its methods are bound, so they may be taken off it. */
export interface Held<This, Args extends unknown[], Result> extends Pending {
  /** Answers what the last run returned: `undefined` before the first one. */
  (this: This, ...args: Args): Result | undefined
  /** Drops the pending run and begins anew: the next call is the first of a burst. */
  cancel: () => void
  /** Runs what is pending now, and answers what the last run returned. Throws what the run throws. */
  flush: () => Result | undefined
  /** Cancels; calls are then ignored, until `configure` turns an edge on. */
  [Symbol.dispose]: () => void
}
