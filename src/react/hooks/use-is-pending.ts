import { useSyncExternalStore } from 'react'
import type { Pending } from '../../core/debounce/debounce.ts'

/**
 * Returns whether a run of `debounced` is pending. Only the component that calls this renders when that changes. On the server,
 * and while hydrating, false.
 */
export function useIsPending(debounced: Pending): boolean {
  return useSyncExternalStore(debounced.subscribe, debounced.isPending, () => false)
}
