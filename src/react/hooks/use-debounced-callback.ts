import { createDebounced, type Debounced } from '../../core/debounce/debounce.ts'
import { checkType } from '../../core/shared/check.ts'
import { adviseOnTiming } from '../../core/shared/develop.ts'
import { useLifecycle, type LeavingOptions, type TimingOptions } from '../use-lifecycle.ts'

export interface DebouncedCallbackOptions extends TimingOptions, LeavingOptions {}

export interface ThrottledCallbackOptions extends Omit<DebouncedCallbackOptions, 'leading' | 'maxWait'> {
  /** Run at the first call, too. @default true */
  leading?: boolean | undefined
}

const callLatest = <This, Args extends readonly unknown[], Result>(
  latest: () => (this: This, ...args: Args) => Result,
): ((this: This, ...args: Args) => Result) =>
  function (...args) {
    // The types of `apply` do not accept a read-only array.
    return latest().apply(this, args as never)
  }

/**
 * Returns a function that runs `fn` once no call has come for `wait` ms, with the last arguments: `debounce` as a hook. It is the
 * same function for the component's life and runs the `fn` of the last commit. Inline callbacks and options are fine: new ones
 * apply, and a pending run stays pending.
 *
 * Once the component is unmounted or hidden, calls are ignored. The hook causes no render; for that see `useIsPending`.
 *
 * @param wait in ms, at least 0.
 * @param options see `DebouncedCallbackOptions`.
 * @throws as `debounce` does.
 */
export function useDebouncedCallback<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  { leading = false, trailing = true, maxWait = Infinity, ...options }: DebouncedCallbackOptions = {},
): Debounced<(this: This, ...args: Args) => Result> {
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
 * `throttle` as a hook. Everything else is as in `useDebouncedCallback`.
 *
 * @param wait in ms, at least 0.
 * @param options see `ThrottledCallbackOptions`.
 * @throws as `throttle` does.
 */
export function useThrottledCallback<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  { leading = true, ...options }: ThrottledCallbackOptions = {},
): Debounced<(this: This, ...args: Args) => Result> {
  adviseOnTiming('useThrottledCallback', wait, { leading }, options)
  // Raised to the wait, whatever the wait becomes.
  return useDebouncedCallback(fn, wait, { ...options, leading, maxWait: 0 })
}
