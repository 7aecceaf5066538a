import { useState } from 'react'
import type { DebounceTiming } from '../core/debounce.ts'
import { useDebouncedCallback } from './use-debounced-callback.ts'
import { useFollow, type Equals } from './use-follow.ts'

export interface DebounceValueOptions<Value> extends Omit<DebounceTiming, 'trailing'> {
  /** Whether two values count as the same one. Give one for objects made anew in each render. @default Object.is */
  equals?: Equals<Value> | undefined
}

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
  { equals = Object.is, ...timing }: DebounceValueOptions<Value> = {},
): Value {
  // A function is a value too: React would call it.
  const [shown, setShown] = useState(() => value)
  const show = useDebouncedCallback((next: Value) => setShown(() => next), wait, timing)
  useFollow(value, shown, equals, show)
  return shown
}
