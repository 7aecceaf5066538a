import { checkFunction } from '../../core/shared/check.ts'
import type { HeldAndTimed } from '../../core/debounce/debounce.ts'
import { debounce } from '../../core/debounce/debounce.ts'
import { useClock } from '../clock-provider.tsx'
import { useCommitEffect } from './use-commit-effect.ts'
import type { LeavingOptions } from '../create-life.ts'
import { useHeld } from './use-held.ts'
import { withTiming, type TimingOptions } from '../with-timing.ts'

export interface DebouncedCallbackOptions extends TimingOptions, LeavingOptions {}

function callLatest<This, Args extends unknown[], Result>(
  latest: () => (this: This, ...args: Args) => Result,
): (this: This, ...args: Args) => Result {
  return function (...args) {
    return latest().apply(this, args)
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
 * @throws as `debounce` does; RangeError for another `onUnmount` or `flushOn`.
 */
export function useDebouncedCallback<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  {
    leading = false,
    trailing = true,
    maxWait = Infinity,
    holdWhile,
    ...leaving
  }: DebouncedCallbackOptions = {},
): HeldAndTimed<This, Args, Result> {
  checkFunction('fn', fn)
  const clock = useClock()
  const life = useHeld(
    fn,
    (latest) =>
      withTiming(debounce(callLatest(latest), wait, { leading, trailing, maxWait, clock }), {
        wait,
        leading,
        trailing,
        maxWait,
      }),
    leaving,
  )
  useCommitEffect(() => {
    const leave = life.enter()
    life.held.setTiming(wait, { leading, trailing, maxWait, holdWhile })
    return leave
  }, [life, wait, leading, trailing, maxWait, holdWhile])
  return life.held.debounced
}
