/** Something that says what state it is in: a limiter, a queue, a breaker, a paced fetch. */
export interface Observable<Snapshot> {
  /** The same object until it changes. */
  snapshot: () => Snapshot
  /** Calls `listener` when the snapshot changed; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
}
