import type { DelayedFunction } from '../core/debounce/debounce.ts'
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
  const { framed } = useLifecycle(
    fn,
    (latest, clock) => {
      const framed = throttleFrame((value: Value) => latest()(value), { clock })
      const { cancel, flush } = framed
      // A frame has no timing.
      return { framed, cancel, flush, configure: () => undefined }
    },
    {},
    options,
  )
  return framed
}
