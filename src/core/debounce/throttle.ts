import { debounce, type DebounceChanges, type DebounceOptions, type Held } from './debounce.ts'

export interface ThrottleOptions extends Omit<DebounceOptions, 'leading' | 'maxWait'> {
  /** Run at the first call. @default true */
  leading?: boolean | undefined
}

/** As a debounced function, but a throttle has no `maxWait` to change. */
export interface Throttled<This, Args extends unknown[], Result> extends Held<This, Args, Result> {
  /** Changes the timing from now on. What is pending stays so, due `wait` (as it is then) after the last run. */
  configure: (changes: Omit<DebounceChanges, 'maxWait'>) => void
}

/**
 * Runs `fn` at most once every `wait` ms: at once, then, while calls come, with the last arguments each `wait`.
 *
 * It is `debounce` with a `maxWait` of `wait`, as in lodash; but here two runs are never closer than `wait` (unless
 * `flush` asks for one). The last call always runs, unless `trailing` is off.
 *
 * @param wait in ms, from 0.
 * @throws as `debounce` does.
 */
export function throttle<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  { leading = true, ...options }: ThrottleOptions = {},
): Throttled<This, Args, Result> {
  // A `maxWait` below the wait is raised to it, whatever the wait becomes.
  return debounce(fn, wait, { ...options, leading, maxWait: 0 })
}
