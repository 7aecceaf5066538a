import { debounce, type DebouncedFunction } from '../../core/debounce/debounce.ts'
import { checkType } from '../../core/shared/check.ts'
import type { Triggers } from '../attach.ts'
import { useCommitEffect, useLifecycle, type LeavingOptions, type TimingOptions } from '../use-lifecycle.ts'

export interface DebouncedCallbackOptions extends TimingOptions, LeavingOptions {}

// Not within the hook: React Compiler knows no `this`.
function callLatest<This, Args extends readonly unknown[], Result>(
  latest: () => (this: This, ...args: Args) => Result,
): (this: This, ...args: Args) => Result {
  return function (...args) {
    return latest().apply(this, args as never)
  }
}

/**
 * `debounce` for a component: a function, the same one for the component's life, that runs the callback of the last
 * commit with the arguments of the last call. Neither a new callback nor new options lose what is pending; inline
 * ones are fine.
 *
 * Once the component is unmounted or hidden, calls are ignored. It renders nothing anew: see `useIsPending`.
 *
 * @param wait in ms, from 0.
 * @throws as `debounce` does.
 */
export function useDebouncedCallback<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  {
    leading = false,
    trailing = true,
    maxWait = Infinity,
    holdWhile,
    onUnmount,
    flushOn: [first, second] = [] as Triggers,
  }: DebouncedCallbackOptions = {},
): DebouncedFunction<(this: This, ...args: Args) => Result> {
  checkType('function', 'fn', fn)
  const life = useLifecycle(
    fn,
    (latest, clock) => debounce(callLatest(latest), wait, { leading, trailing, maxWait, clock }),
    onUnmount,
  )
  useCommitEffect(
    () => life.enter({ wait, leading, trailing, maxWait }, holdWhile, first, second),
    [life, wait, leading, trailing, maxWait, holdWhile, first, second],
  )
  return life.held
}
