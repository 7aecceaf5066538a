import { useState } from 'react'
import { debounce, type HeldAndTimed } from '../core/debounce.ts'
import { useClock } from './clock-provider.tsx'
import { useLatest } from './use-latest.ts'
import { useLeaving, type LeavingOptions } from './use-leaving.ts'
import { useTiming, type TimingOptions } from './use-timing.ts'

export interface DebouncedCallbackOptions extends TimingOptions, LeavingOptions {}

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
export function useDebouncedCallback<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  {
    leading = false,
    trailing = true,
    maxWait = Infinity,
    holdWhile,
    onUnmount,
    flushOn,
  }: DebouncedCallbackOptions = {},
): HeldAndTimed<This, Args, Result> {
  const clock = useClock()
  const latest = useLatest(fn)
  const [debounced] = useState(() => {
    function run(this: This, ...args: Args): Result {
      return latest.get().apply(this, args)
    }
    return debounce(run, wait, { leading, trailing, maxWait, clock })
  })
  useTiming(debounced, wait, { leading, trailing, maxWait, holdWhile })
  useLeaving(debounced, { onUnmount, flushOn })
  return debounced
}
