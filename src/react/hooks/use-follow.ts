import { useEffect, useState } from 'react'
import { checkFrom } from '../../core/limit/rules/check-number.ts'
import { useClock } from '../clock-provider.tsx'
import { commitAtOnce, type Commit } from '../commit.ts'
import { createFollower } from '../create-follower.ts'
import type { TimingOptions } from '../with-timing.ts'
import { isSameValue, type Equals } from '../same-value.ts'

export interface ValueOptions<Value> {
  /** Whether two values count as the same one. @default by Object.is; arrays and plain objects by their members */
  equals?: Equals<Value> | undefined
  /** How a new value is set, for instance React's `startTransition`. @default at once */
  commit?: Commit | undefined
}

/** The value that is shown in place of `value`: that of the first render, then each that is committed, once it rests. */
export function useFollow<Value>(
  value: Value,
  wait: number,
  {
    equals = isSameValue,
    commit = commitAtOnce,
    leading,
    trailing,
    maxWait = Infinity,
    holdWhile,
  }: TimingOptions & ValueOptions<Value>,
): Value {
  checkFrom(0, 'wait', wait)
  checkFrom(0, 'maxWait', maxWait)
  const clock = useClock()
  // A function is a value too: React would call it.
  const [shown, setShown] = useState(() => value)
  const [follower] = useState(() => createFollower(clock, value, (next: Value) => setShown(() => next)))

  useEffect(() => {
    follower.follow(value, wait, { leading, trailing, maxWait, holdWhile, equals, commit })
  }, [follower, value, wait, leading, trailing, maxWait, holdWhile, equals, commit])
  useEffect(() => follower.stop, [follower])
  return shown
}
