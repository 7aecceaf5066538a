import type { DebounceChanges } from '../core/debounce/debounce.ts'
import { throttleFrame } from '../core/debounce/throttle-frame.ts'
import { useLifecycle, type LeavingOptions } from './use-lifecycle.ts'

interface FrameCallback<Value> {
  /** Runs the callback of the last commit in the next frame, with the last value; ignored after unmount. */
  handle: (value: Value) => void
  flush: () => unknown
}

/** Returns the same functions for the component's life. */
export function useFrameCallback<Value>(
  fn: (value: Value) => void,
  options: LeavingOptions,
): FrameCallback<Value> {
  const { onUnmount } = options
  return useLifecycle(
    { fn, onUnmount },
    (latest, clock) => {
      const framed = throttleFrame((value: Value) => latest().fn(value), { clock })
      const { cancel, flush } = framed
      let isSuspended = false
      return {
        handle(value: Value) {
          // The listener is removed later than the component. A frame may come in between.
          if (!isSuspended) framed(value)
        },
        cancel,
        flush,
        configure({ trailing }: DebounceChanges) {
          isSuspended = trailing === false
          // Not deferred: the frame may come before it is known whether the component stays hidden.
          if (isSuspended && latest().onUnmount !== 'flush') cancel()
        },
      }
    },
    {},
    options,
  )
}
