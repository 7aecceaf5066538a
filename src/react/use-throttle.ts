import { useState } from 'react'
import { useFollow, type Equals } from './use-follow.ts'
import { useThrottledCallback } from './use-throttled-callback.ts'

export interface ThrottleValueOptions<Value> {
  /** Show the first change at once. @default true */
  leading?: boolean | undefined
  /** Show the last change too. @default true */
  trailing?: boolean | undefined
  /** Whether two values count as the same one. Give one for objects made anew in each render. @default Object.is */
  equals?: Equals<Value> | undefined
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
  { equals = Object.is, ...edges }: ThrottleValueOptions<Value> = {},
): Value {
  // A function is a value too: React would call it.
  const [shown, setShown] = useState(() => value)
  const show = useThrottledCallback((next: Value) => setShown(() => next), wait, edges)
  useFollow(value, shown, equals, show)
  return shown
}
