import { useDebouncedValue, type TimedValueOptions } from '../use-debounced-value.ts'

export type DebounceValueOptions<Value> = Omit<TimedValueOptions<Value>, 'trailing'>

/**
 * Returns `value` after it has stopped changing for `wait` ms; until then the value before it. The first is returned at once.
 * Only what is committed counts: the value of a render that React threw away is never shown.
 *
 * @param wait in ms, from 0.
 * @throws as `debounce` does.
 */
export const useDebounce: <Value>(
  value: Value,
  wait: number,
  options?: DebounceValueOptions<Value>,
) => Value = useDebouncedValue
