import { useMemo, useSyncExternalStore } from 'react'
import type { Pending } from '../../core/debounce/debounce.ts'
import { adviseOnMade } from '../../core/shared/develop.ts'
import type { Observable } from '../../core/shared/store.ts'

/** Caches the last snapshot of a source that may change with time: React reads twice and needs equal results. */
function createReading<Snapshot>({ snapshot, subscribe }: Observable<Snapshot>): Observable<Snapshot> {
  let last: Snapshot | undefined
  return {
    snapshot: () => (last ??= snapshot()),
    subscribe(listener) {
      // It may have changed before.
      last = undefined
      return subscribe(() => {
        last = undefined
        listener()
      })
    },
  }
}

/** Caches the result of `select` for the last snapshot. */
function createSelector<Snapshot, Selected>(
  select: (snapshot: Snapshot) => Selected,
): (snapshot: Snapshot) => Selected {
  let last: { snapshot: Snapshot; selected: Selected } | undefined
  return (snapshot) => {
    if (!last || last.snapshot !== snapshot) last = { snapshot, selected: select(snapshot) }
    return last.selected
  }
}

const all = (snapshot: unknown): unknown => snapshot

/** Returns `select` of the snapshot. On a server and while hydrating, `initial` returns the snapshot. */
export function useSnapshot<Snapshot, Selected>(
  { snapshot, subscribe }: Observable<Snapshot>,
  initial: () => Snapshot,
  select: ((snapshot: Snapshot) => Selected) | undefined,
): Selected {
  const reading = useMemo(() => createReading({ snapshot, subscribe }), [snapshot, subscribe])
  const read = useMemo(() => createSelector((select ?? all) as (whole: Snapshot) => Selected), [select])
  return useSyncExternalStore(
    reading.subscribe,
    () => read(reading.snapshot()),
    () => read(initial()),
  )
}

/**
 * Returns the snapshot of a limiter or of another object that has one: a queue, a circuit breaker, an adaptive or a concurrency
 * limiter. The component renders when the snapshot changes; with `select`, when the result of `select` changes (by `Object.is`).
 */
export function useLimiter<Snapshot>(limiter: Observable<Snapshot>): Snapshot
export function useLimiter<Snapshot, Selected>(
  limiter: Observable<Snapshot>,
  select: (snapshot: Snapshot) => Selected,
): Selected
export function useLimiter<Snapshot, Selected>(
  limiter: Observable<Snapshot>,
  select?: (snapshot: Snapshot) => Selected,
): Snapshot | Selected {
  return useSnapshot<Snapshot, Snapshot | Selected>(limiter, limiter.snapshot, select)
}

/**
 * Returns whether a run of `debounced` is pending. Only the component that calls this hook renders when that changes. Returns
 * false on the server and while hydrating.
 *
 * @throws TypeError, in development, if `debounced` has no `isPending`.
 */
export function useIsPending(debounced: Pending): boolean {
  adviseOnMade('useIsPending: debounced', debounced, 'isPending', 'useDebouncedCallback or useBatch')
  return useSyncExternalStore(debounced.subscribe, debounced.isPending, () => false)
}
