import type { TimingOptions } from '../with-timing.ts'
import { useFollow, type ValueOptions } from './use-follow.ts'

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
  { leading = false, ...options }: DebounceValueOptions<Value> = {},
): Value {
  return useFollow(value, wait, { ...options, leading, trailing: true })
}
