import { useMemo, useSyncExternalStore } from 'react'
import { createSelector } from './create-selector.ts'

/** Something that says what state it is in: a limiter, a queue, a breaker, a paced fetch. */
export interface Observable<Snapshot> {
  /** The same object until it changes. */
  snapshot: () => Snapshot
  /** Calls `listener` when the snapshot changed; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
}

const all = (whole: unknown): unknown => whole

/** What `select` takes of the snapshot; on a server, and while hydrating, of `initial`. */
export function useSnapshot<Snapshot, Selected>(
  { snapshot, subscribe }: Observable<Snapshot>,
  initial: () => Snapshot,
  select: ((snapshot: Snapshot) => Selected) | undefined,
): Selected {
  const read = useMemo(() => createSelector((select ?? all) as (whole: Snapshot) => Selected), [select])
  return useSyncExternalStore(
    subscribe,
    () => read(snapshot()),
    () => read(initial()),
  )
}
