import { useState } from 'react'
import { commitAtOnce } from './commit.ts'
import { isSameValue } from './same-value.ts'
import type { ValueOptions } from './use-debounce.ts'
import { useFollow } from './use-follow.ts'
import { useThrottledCallback, type ThrottledCallbackOptions } from './use-throttled-callback.ts'

export interface ThrottleValueOptions<Value>
  extends Omit<ThrottledCallbackOptions, 'onUnmount' | 'flushOn'>, ValueOptions<Value> {}

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
  { equals = isSameValue, commit = commitAtOnce, ...edges }: ThrottleValueOptions<Value> = {},
): Value {
  // A function is a value too: React would call it.
  const [shown, setShown] = useState(() => value)
  const show = useThrottledCallback((next: Value) => commit(() => setShown(() => next)), wait, edges)
  useFollow(value, shown, equals, show)
  return shown
}
