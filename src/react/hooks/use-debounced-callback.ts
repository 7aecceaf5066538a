import { debounce, type DebouncedFunction } from '../../core/debounce/debounce.ts'
import { checkType } from '../../core/shared/check.ts'
import { useLifecycle, type LeavingOptions, type TimingOptions } from '../use-lifecycle.ts'

export interface DebouncedCallbackOptions extends TimingOptions, LeavingOptions {}

export interface ThrottledCallbackOptions extends Omit<DebouncedCallbackOptions, 'leading' | 'maxWait'> {
  /** Run at the first call. @default true */
  leading?: boolean | undefined
}

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
  { leading = false, trailing = true, maxWait = Infinity, ...options }: DebouncedCallbackOptions = {},
): DebouncedFunction<(this: This, ...args: Args) => Result> {
  checkType('function', 'fn', fn)
  const timing = { wait, leading, trailing, maxWait }
  return useLifecycle(
    fn,
    (latest, clock) => debounce(callLatest(latest), wait, { ...timing, clock }),
    timing,
    options,
  )
}

/**
 * `throttle` for a component: what `useDebouncedCallback` is to `debounce`. It runs at once, then at most once every
 * `wait` ms while calls come, and always for the last call.
 *
 * @param wait in ms, from 0.
 * @throws as `throttle` does.
 */
export function useThrottledCallback<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  { leading = true, ...options }: ThrottledCallbackOptions = {},
): DebouncedFunction<(this: This, ...args: Args) => Result> {
  return useDebouncedCallback(fn, wait, { ...options, leading, maxWait: wait })
}
