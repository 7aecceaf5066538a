import type { DebounceChanges, DelayedFunction } from '../core/debounce/debounce.ts'
import { throttleFrame } from '../core/debounce/throttle-frame.ts'
import { useLifecycle, type LeavingOptions } from './use-lifecycle.ts'

/**
 * Returns a function that runs the callback of the last commit in the next frame, with the last value. It is the same function for
 * the component's life. Do not call it after unmount.
 */
export function useFrameCallback<Value>(
  fn: (value: Value) => void,
  options: LeavingOptions,
): DelayedFunction<(value: Value) => void> {
  const { onUnmount } = options
  const { framed } = useLifecycle(
    { fn, onUnmount },
    (latest, clock) => {
      const framed = throttleFrame((value: Value) => latest().fn(value), { clock })
      const { cancel, flush } = framed
      return {
        framed,
        cancel,
        flush,
        configure({ trailing }: DebounceChanges) {
          // Suspended. The frame comes too early to know whether the component stays hidden.
          if (trailing === false && latest().onUnmount !== 'flush') cancel()
        },
      }
    },
    {},
    options,
  )
  return framed
}
