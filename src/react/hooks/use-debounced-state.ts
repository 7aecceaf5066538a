import { useCallback, useInsertionEffect, useState } from 'react'
import type { Debounced } from '../../core/debounce/debounce.ts'
import { adviseOnTiming } from '../../core/shared/develop.ts'
import { commitAtOnce, isSameValue, type Commit, type Equals, type ValueOptions } from './use-debounce.ts'
import { useDebouncedCallback, type DebouncedCallbackOptions } from './use-debounced-callback.ts'

export interface DebouncedStateOptions<Value> extends DebouncedCallbackOptions, ValueOptions<Value> {}

/** Sets the state after no other value has come for `wait` ms. With `immediate` it sets it at once and drops a pending value. */
export type SetDebounced<Value> = (value: Value, options?: { immediate?: boolean | undefined }) => void

interface Setter<Value> {
  /** Sets the options of the last commit. Call it in an insertion effect. */
  use: (equals: Equals<Value>, commit: Commit) => void
  /** Whether `value` equals the last value set, even if a transition does not show it yet. */
  isCurrent: (value: Value) => boolean
  set: (value: Value) => void
}

function createSetter<Value>(current: Value, show: (update: () => Value) => void): Setter<Value> {
  let equals: Equals<Value>
  let commit: Commit
  const isCurrent = (value: Value): boolean => equals(value, current)
  return {
    use(nextEquals, nextCommit) {
      equals = nextEquals
      commit = nextCommit
    },
    isCurrent,
    set(next) {
      if (isCurrent(next)) return
      current = next
      commit(() => show(() => next))
    },
  }
}

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
  { equals = isSameValue, commit = commitAtOnce, ...options }: DebouncedStateOptions<Value> = {},
): [value: Value, set: SetDebounced<Value>, debounced: Debounced<(value: Value) => void>] {
  adviseOnTiming('useDebouncedState', wait, options, { equals, commit })
  const [value, show] = useState(() => initial)
  const [setter] = useState(() => createSetter(initial, show))
  useInsertionEffect(() => setter.use(equals, commit))
  const debounced = useDebouncedCallback(setter.set, wait, options)
  const set = useCallback<SetDebounced<Value>>(
    (next, { immediate = false } = {}) => {
      const isPending = debounced.isPending()
      if (immediate) {
        if (isPending) debounced.cancel()
        setter.set(next)
      } else if (!setter.isCurrent(next)) debounced(next)
      else if (isPending) {
        // Drops the pending value but keeps the burst of calls open: the next value is not a leading one.
        debounced(next)
        debounced.flush()
      }
    },
    [setter, debounced],
  )
  return [value, set, debounced]
}
