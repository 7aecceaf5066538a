import { useEffect } from 'react'
import type { HeldAndTimed } from '../core/debounce.ts'
import type { Equals } from './same-value.ts'

/** Calls `show` with each value that is committed, so that in the end `shown` is equal to `value`. Not on mount. */
export function useFollow<Value>(
  value: Value,
  shown: Value,
  equals: Equals<Value>,
  show: HeldAndTimed<unknown, [Value], void>,
): void {
  const isShown = equals(value, shown)
  useEffect(() => {
    // A value that is back to what is shown replaces the one that is pending.
    if (!isShown || show.isPending()) show(value)
  }, [value, isShown, show])
}
