import { useMemo, useSyncExternalStore } from 'react'
import { createReading } from '../create-reading.ts'
import { createSelector } from '../create-selector.ts'
import type { Observable } from '../observable.ts'

const all = (whole: unknown): unknown => whole

/** What `select` takes of the snapshot; on a server, and while hydrating, of `initial`. */
export function useSnapshot<Snapshot, Selected>(
  { snapshot, subscribe }: Observable<Snapshot>,
  initial: () => Snapshot,
  select: ((snapshot: Snapshot) => Selected) | undefined,
): Selected {
  const reading = useMemo(() => createReading({ snapshot, subscribe }), [snapshot, subscribe])
  const read = useMemo(() => createSelector((select ?? all) as (whole: Snapshot) => Selected), [select])
  return useSyncExternalStore(
    reading.subscribe,
    () => read(reading.get()),
    () => read(initial()),
  )
}
