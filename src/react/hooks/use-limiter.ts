import { useSnapshot, type Observable } from '../use-snapshot.ts'

/**
 * The state of a limiter, or of what else has snapshots: a queue, a circuit breaker, an adaptive or a concurrency
 * limiter. The component renders when it changes; with `select`, when what `select` takes of it changes (by `Object.is`).
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
