import { useState } from 'react'
import { throttleFrame } from '../core/throttle-frame.ts'
import { useClock } from './clock-provider.tsx'
import { useLatest } from './use-latest.ts'
import { useLeaving, type LeavingOptions } from './use-leaving.ts'

/** A function, the same one for the component's life, that runs `fn` of the last commit in the next frame. Not to be called after unmount. */
export function useFrameCallback<Value>(
  fn: (value: Value) => void,
  { onUnmount, flushOn }: LeavingOptions,
): (value: Value) => void {
  const clock = useClock()
  const latest = useLatest(fn)
  const [framed] = useState(() => {
    const framed = throttleFrame((value: Value) => latest.get()(value), { clock })
    // It has to work again when the component is shown again.
    return Object.assign(framed, { [Symbol.dispose]: framed.cancel })
  })
  useLeaving(framed, { onUnmount, flushOn })
  return framed
}
