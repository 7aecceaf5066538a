import type { Observable } from './observable.ts'

/** What was last read of something that changes with time, too. */
export interface Reading<Snapshot> {
  /** As of the last change that was told: React asks twice in a row, and must hear the same. */
  get: () => Snapshot
  /** Reads again at once, for what was not heard, and whenever there is a change; then calls `listener`. */
  subscribe: (listener: () => void) => () => void
}

export function createReading<Snapshot>({ snapshot, subscribe }: Observable<Snapshot>): Reading<Snapshot> {
  let last: { snapshot: Snapshot } | undefined
  const read = (): { snapshot: Snapshot } => (last = { snapshot: snapshot() })

  return {
    get: () => (last ?? read()).snapshot,
    subscribe(listener) {
      const unsubscribe = subscribe(() => {
        read()
        listener()
      })
      read()
      return unsubscribe
    },
  }
}
