import { useCallback, useState } from 'react'
import type { HeldAndTimed } from '../../core/debounce/debounce.ts'
import { commitAtOnce } from '../commit.ts'
import { isSameValue } from '../same-value.ts'
import type { ValueOptions } from './use-follow.ts'
import { useDebouncedCallback, type DebouncedCallbackOptions } from './use-debounced-callback.ts'
import { createLatest } from '../latest.ts'
import { useLatest } from './use-latest.ts'

export interface DebouncedStateOptions<Value> extends DebouncedCallbackOptions, ValueOptions<Value> {}

/** Sets a state once no other value has come for `wait` ms; with `immediate` now, in place of what is pending. */
export type SetDebounced<Value> = (value: Value, options?: { immediate?: boolean | undefined }) => void

/**
 * A state that is set once the values given for it rest: the state, what sets it, and the function that holds the values
 * back, with `cancel`, `flush` and, for `useIsPending`, `subscribe`. Both functions are the same ones for the component's life.
 *
 * Setting it to what it is already cancels what is pending. A function is a value like any other: it is kept, not called.
 *
 * @param wait in ms, from 0.
 * @throws as `debounce` does.
 */
export function useDebouncedState<Value>(
  initial: Value,
  wait: number,
  { equals = isSameValue, commit = commitAtOnce, ...options }: DebouncedStateOptions<Value> = {},
): [value: Value, set: SetDebounced<Value>, debounced: HeldAndTimed<unknown, [Value], void>] {
  const [value, setValue] = useState(() => initial)
  // What was set last, which a transition may not show yet.
  const [current] = useState(() => createLatest(initial))
  const latest = useLatest({ equals, commit })

  const setNow = useCallback(
    (next: Value) => {
      current.set(next)
      latest.get().commit(() => setValue(() => next))
    },
    [current, latest],
  )
  const debounced = useDebouncedCallback(setNow, wait, options)
  const set = useCallback<SetDebounced<Value>>(
    (next, { immediate = false } = {}) => {
      const isSet = latest.get().equals(next, current.get())
      if (!immediate && !isSet) return debounced(next)
      if (debounced.isPending()) debounced.cancel()
      if (!isSet) setNow(next)
    },
    [current, latest, debounced, setNow],
  )
  return [value, set, debounced]
}
