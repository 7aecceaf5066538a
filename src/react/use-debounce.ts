import { useState } from 'react'
import { commitAtOnce, type Commit } from './commit.ts'
import { isSameValue, type Equals } from './same-value.ts'
import { useDebouncedCallback } from './use-debounced-callback.ts'
import { useFollow } from './use-follow.ts'
import type { TimingOptions } from './use-timing.ts'

export interface ValueOptions<Value> {
  /** Whether two values count as the same one. @default by Object.is; arrays and plain objects by their members */
  equals?: Equals<Value> | undefined
  /** How a new value is set, for instance React's `startTransition`. @default at once */
  commit?: Commit | undefined
}

export interface DebounceValueOptions<Value> extends Omit<TimingOptions, 'trailing'>, ValueOptions<Value> {}

/**
 * `value` once it has rested for `wait` ms; until then the value before it. The first is answered at once.
 * Only what is committed counts: the value of a render that React threw away is never shown.
 *
 * @param wait in ms, from 0.
 * @throws as `debounce` does.
 */
export function useDebounce<Value>(
  value: Value,
  wait: number,
  { equals = isSameValue, commit = commitAtOnce, ...timing }: DebounceValueOptions<Value> = {},
): Value {
  // A function is a value too: React would call it.
  const [shown, setShown] = useState(() => value)
  const show = useDebouncedCallback((next: Value) => commit(() => setShown(() => next)), wait, timing)
  useFollow(value, shown, equals, show)
  return shown
}
