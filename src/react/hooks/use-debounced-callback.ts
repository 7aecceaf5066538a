import { createDebounced, type DebouncedFunction } from '../../core/debounce/debounce.ts'
import { checkType } from '../../core/shared/check.ts'
import { adviseOnTiming } from '../../core/shared/develop.ts'
import { useLifecycle, type LeavingOptions, type TimingOptions } from '../use-lifecycle.ts'

export interface DebouncedCallbackOptions extends TimingOptions, LeavingOptions {}

export interface ThrottledCallbackOptions extends Omit<DebouncedCallbackOptions, 'leading' | 'maxWait'> {
  /** Run at the first call. @default true */
  leading?: boolean | undefined
}

const callLatest = <This, Args extends readonly unknown[], Result>(
  latest: () => (this: This, ...args: Args) => Result,
): ((this: This, ...args: Args) => Result) =>
  function (...args) {
    // `apply` has no type for a read-only list.
    return latest().apply(this, args as never)
  }

/**
 * Returns a function that runs `fn` once no call has come for `wait` ms, with the last arguments and the callback of the last commit:
 * `debounce` for a component. It is the same function for the component's life, so inline callbacks and options are fine; new ones
 * lose nothing that is pending.
 *
 * Once the component is unmounted or hidden, calls are ignored. It causes no render; for that see `useIsPending`.
 *
 * @param wait in ms, from 0.
 * @param options see `DebouncedCallbackOptions`.
 * @throws as `debounce` does.
 */
export function useDebouncedCallback<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  { leading = false, trailing = true, maxWait = Infinity, ...options }: DebouncedCallbackOptions = {},
): DebouncedFunction<(this: This, ...args: Args) => Result> {
  checkType('function', 'fn', fn)
  const timing = { wait, leading, trailing, maxWait }
  adviseOnTiming('useDebouncedCallback', wait, timing, options)
  return useLifecycle(
    fn,
    (latest, clock) => createDebounced(callLatest(latest), wait, timing, clock),
    timing,
    options,
  )
}

/**
 * Returns a function that runs `fn` at once, then at most once every `wait` ms while calls come, and always for the last call:
 * `throttle` for a component. All else is as in `useDebouncedCallback`.
 *
 * @param wait in ms, from 0.
 * @param options see `ThrottledCallbackOptions`.
 * @throws as `throttle` does.
 */
export function useThrottledCallback<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  { leading = true, ...options }: ThrottledCallbackOptions = {},
): DebouncedFunction<(this: This, ...args: Args) => Result> {
  adviseOnTiming('useThrottledCallback', wait, { leading }, options)
  return useDebouncedCallback(fn, wait, { ...options, leading, maxWait: wait })
}
