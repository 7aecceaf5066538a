import { throttleFrame } from '../core/throttle-frame.ts'
import { useClock } from './clock-provider.tsx'
import { useHeld, type LeavingOptions } from './use-held.ts'

/**
 * A function, the same one for the component's life, that runs the callback of the last commit in the next frame, with the last
 * value. Not to be called after unmount.
 */
export function useFrameCallback<Value>(
  fn: (value: Value) => void,
  options: LeavingOptions,
): (value: Value) => void {
  const clock = useClock()
  return useHeld(
    fn,
    (latest) => {
      const framed = throttleFrame((value: Value) => latest()(value), { clock })
      // It has to work again when the component is shown again.
      return Object.assign(framed, { [Symbol.dispose]: framed.cancel })
    },
    options,
  )
}
