import { useDebouncedValue, type TimedValueOptions } from '../use-debounced-value.ts'

export interface ThrottleValueOptions<Value> extends Omit<TimedValueOptions<Value>, 'leading' | 'maxWait'> {
  /** Show the first change at once. @default true */
  leading?: boolean | undefined
}

/**
 * Returns `value`, taken over at most once every `wait` ms: the first change at once, and the last one at the latest `wait`
 * after it came.
 *
 * @param wait in ms, from 0.
 * @throws as `throttle` does.
 */
export function useThrottle<Value>(
  value: Value,
  wait: number,
  { leading = true, ...options }: ThrottleValueOptions<Value> = {},
): Value {
  return useDebouncedValue(value, wait, { ...options, leading, maxWait: wait })
}
