import { adviseOnTiming } from '../shared/develop.ts'
import { debounce, type Debounced, type DebounceOptions, type Uninferred } from './debounce.ts'

export interface ThrottleOptions extends Omit<DebounceOptions, 'leading' | 'maxWait'> {
  /** Run at the first call. @default true */
  leading?: boolean | undefined
}

/**
 * Returns a function that runs `fn` at most once every `wait` ms: at the first call, then with the last arguments of later ones.
 *
 * It is `debounce` with a `maxWait` of `wait`, as in lodash, but two runs are never closer than `wait`, unless `flush` or `cancel` is
 * called between them. The last call always runs unless `trailing` is off. A `maxWait` given to `configure` makes it a debounce.
 *
 * @param wait in ms, at least 0.
 * @param options see `ThrottleOptions`.
 * @throws as `debounce` does.
 */
export function throttle<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  { leading = true, ...options }: ThrottleOptions = {},
): Debounced<(this: Uninferred<This>, ...args: Args) => Result> {
  adviseOnTiming('throttle', wait, { leading }, options)
  // A `maxWait` below the wait is raised to it, whatever the wait becomes.
  return debounce(fn, wait, { ...options, leading, maxWait: 0 })
}
