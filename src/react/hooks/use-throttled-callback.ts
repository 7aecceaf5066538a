import type { DebouncedFunction } from '../../core/debounce/debounce.ts'
import { useDebouncedCallback, type DebouncedCallbackOptions } from './use-debounced-callback.ts'

export interface ThrottledCallbackOptions extends Omit<DebouncedCallbackOptions, 'leading' | 'maxWait'> {
  /** Run at the first call. @default true */
  leading?: boolean | undefined
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
