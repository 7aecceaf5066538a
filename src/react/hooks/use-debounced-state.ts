import { useState } from 'react'
import { createDebounced, type Debounced } from '../../core/debounce/debounce.ts'
import { adviseOnTiming } from '../../core/shared/develop.ts'
import { useLifecycle } from '../use-lifecycle.ts'
import { commitAtOnce, isSameValue, type ValueOptions } from './use-debounce.ts'
import type { DebouncedCallbackOptions } from './use-debounced-callback.ts'

export interface DebouncedStateOptions<Value> extends DebouncedCallbackOptions, ValueOptions<Value> {}

/** Sets the state after no other value has come for `wait` ms. With `immediate` it sets it at once and drops a pending value. */
export type SetDebounced<Value> = (value: Value, options?: { immediate?: boolean | undefined }) => void

/**
 * Returns a state that changes `wait` ms after the last call of its setter, the setter, and the debounced function with `cancel`,
 * `flush` and `isPending`. Both functions are the same for the component's life.
 *
 * Setting the current value drops a pending one. A function is a value like any other and is not called.
 *
 * @param wait in ms, at least 0.
 * @param options see `DebouncedStateOptions`.
 * @throws as `debounce` does.
 */
export function useDebouncedState<Value>(
  initial: Value,
  wait: number,
  {
    leading = false,
    trailing = true,
    maxWait = Infinity,
    equals = isSameValue,
    commit = commitAtOnce,
    ...options
  }: DebouncedStateOptions<Value> = {},
): [value: Value, set: SetDebounced<Value>, debounced: Debounced<(value: Value) => void>] {
  const timing = { wait, leading, trailing, maxWait }
  adviseOnTiming('useDebouncedState', wait, timing, { ...options, equals, commit })
  const [value, show] = useState(() => initial)
  const { set, debounced } = useLifecycle(
    { equals, commit },
    (latest, clock) => {
      /** The last value set, even if a transition does not show it yet. */
      let current = initial
      const isCurrent = (next: Value): boolean => latest().equals(next, current)
      function change(next: Value): void {
        if (isCurrent(next)) return
        current = next
        latest().commit(() => show(() => next))
      }
      const debounced = createDebounced(change, wait, timing, clock)
      const set: SetDebounced<Value> = (next, { immediate = false } = {}) => {
        const isPending = debounced.isPending()
        if (immediate) {
          if (isPending) debounced.cancel()
          change(next)
        } else if (!isCurrent(next)) debounced(next)
        else if (isPending) {
          // Drops the pending value but keeps the burst of calls open: the next value is not a leading one.
          debounced(next)
          debounced.flush()
        }
      }
      return { ...debounced, debounced, set }
    },
    timing,
    options,
  )
  return [value, set, debounced]
}
