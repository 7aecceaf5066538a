import type { TimingOptions } from '../with-timing.ts'
import { useFollow, type ValueOptions } from './use-follow.ts'

export interface ThrottleValueOptions<Value>
  extends Pick<TimingOptions, 'trailing' | 'holdWhile'>, ValueOptions<Value> {
  /** Show the first change at once. @default true */
  leading?: boolean | undefined
}

/**
 * `value`, taken over at most once every `wait` ms: the first change at once, and the last one at the latest `wait`
 * after it came.
 *
 * @param wait in ms, from 0.
 * @throws as `throttle` does.
 */
export function useThrottle<Value>(
  value: Value,
  wait: number,
  { leading = true, trailing = true, ...options }: ThrottleValueOptions<Value> = {},
): Value {
  return useFollow(value, wait, { ...options, leading, trailing, maxWait: wait })
}
