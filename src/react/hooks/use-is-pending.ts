import { useSyncExternalStore } from 'react'
import type { Pending } from '../../core/debounce/debounce.ts'

/** Whether a run of `held` is due: the component that asks, and no other, renders when that changes. */
export function useIsPending(held: Pending): boolean {
  return useSyncExternalStore(held.subscribe, held.isPending, () => false)
}
