import type { DebounceChanges, DelayedFunction } from '../core/debounce/debounce.ts'
import { throttleFrame } from '../core/debounce/throttle-frame.ts'
import type { Triggers } from './attach.ts'
import { useCommitEffect, useLifecycle, type LeavingOptions } from './use-lifecycle.ts'

/**
 * Returns a function, the same one for the component's life, that runs the callback of the last commit in the next frame, with the
 * last value. Not to be called after unmount.
 */
export function useFrameCallback<Value>(
  fn: (value: Value) => void,
  { onUnmount, flushOn: [first, second] = [] as Triggers }: LeavingOptions,
): DelayedFunction<(value: Value) => void> {
  const life = useLifecycle(
    { fn, onUnmount },
    (latest, clock) => {
      const framed = throttleFrame((value: Value) => latest().fn(value), { clock })
      const { cancel, flush } = framed
      return {
        framed,
        cancel,
        flush,
        configure({ wait }: DebounceChanges) {
          // Suspended. A frame comes too soon to be kept until it is sure that the component is hidden.
          if (wait && latest().onUnmount !== 'flush') cancel()
        },
      }
    },
    onUnmount,
  )
  useCommitEffect(() => life.enter({}, undefined, first, second), [life, first, second])
  return life.held.framed
}
