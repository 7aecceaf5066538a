import type { Held } from '../../core/debounce/debounce.ts'
import { throttleFrame } from '../../core/debounce/throttle-frame.ts'
import { useClock } from '../clock-provider.tsx'
import type { LeavingOptions } from '../create-life.ts'
import { useCommitEffect } from './use-commit-effect.ts'
import { useHeld } from './use-held.ts'

/**
 * A function, the same one for the component's life, that runs the callback of the last commit in the next frame, with the last
 * value. Not to be called after unmount.
 */
export function useFrameCallback<Value>(
  fn: (value: Value) => void,
  options: LeavingOptions,
): Held<unknown, [Value], void> {
  const clock = useClock()
  const life = useHeld(
    fn,
    (latest) => {
      const framed = throttleFrame((value: Value) => latest()(value), { clock })
      // To cancel is all there is to end: it has to work again when the component is shown again.
      const { cancel, flush } = framed
      return { framed, cancel, flush, suspend: cancel, resume: () => undefined, [Symbol.dispose]: cancel }
    },
    options,
  )
  useCommitEffect(() => life.enter(), [life])
  return life.held.framed
}
