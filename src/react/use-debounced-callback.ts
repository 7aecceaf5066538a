import { useInsertionEffect, useState } from 'react'
import { debounce, type DebounceTiming, type HeldAndTimed } from '../core/debounce.ts'
import { useClock } from './clock-provider.tsx'
import { createLatest } from './latest.ts'
import { useCommitEffect } from './use-commit-effect.ts'

export interface DebouncedCallbackOptions extends DebounceTiming {
  /** What becomes of a pending run when the component is unmounted or hidden. @default 'cancel' */
  onUnmount?: 'cancel' | 'flush' | undefined
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
export function useDebouncedCallback<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  wait: number,
  {
    leading = false,
    trailing = true,
    maxWait = Infinity,
    onUnmount = 'cancel',
  }: DebouncedCallbackOptions = {},
): HeldAndTimed<This, Args, Result> {
  const clock = useClock()
  const [{ latest, debounced }] = useState(() => {
    const latest = createLatest({ fn, onUnmount })
    function run(this: This, ...args: Args): Result {
      return latest.get().fn.apply(this, args)
    }
    return { latest, debounced: debounce(run, wait, { leading, trailing, maxWait, clock }) }
  })

  // Before any layout effect of the same commit, for that may call or flush.
  useInsertionEffect(() => latest.set({ fn, onUnmount }))

  useCommitEffect(() => {
    debounced.configure({ wait, leading, trailing, maxWait })
  }, [debounced, wait, leading, trailing, maxWait])

  useCommitEffect(
    () => () => {
      if (latest.get().onUnmount === 'flush') debounced.flush()
      // Ignores calls until the effect above gives it edges again, if the component is shown again.
      debounced[Symbol.dispose]()
    },
    [debounced, latest],
  )

  return debounced
}
