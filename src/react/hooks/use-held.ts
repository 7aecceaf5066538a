import { useEffect, useInsertionEffect, useState } from 'react'
import { checkOneOf } from '../../core/shared/check.ts'
import { createLife, type Leavable, type LeavingOptions, type Life } from '../create-life.ts'

/**
 * What holds the calls of a component: made once, with a function that answers `value` as of the last commit, and ended with the
 * component.
 *
 * The caller has a layout effect that configures it, and so takes it up again if the component is shown again. That effect begins
 * with `enter`, and returns what that answers.
 */
export function useHeld<Value, Held extends Leavable>(
  value: Value,
  make: (latest: () => Value) => Held,
  { onUnmount = 'cancel', flushOn = [] }: LeavingOptions,
): Life<Held> {
  checkOneOf(['cancel', 'flush'], 'onUnmount', onUnmount)
  for (const how of flushOn) checkOneOf(['hidden', 'pagehide'], 'flushOn', how)
  const [life] = useState(() => createLife({ value, onUnmount, flushOn }, make))
  // Before any layout effect of the same commit, for one may already call.
  useInsertionEffect(() => life.commit({ value, onUnmount, flushOn }))
  useEffect(() => life.show(), [life])
  return life
}
