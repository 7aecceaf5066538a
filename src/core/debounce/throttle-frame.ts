import { checkType } from '../shared/check.ts'
import { notifyAll } from '../shared/store.ts'
import { systemClock, type Clock } from '../time/clock.ts'
import type { DelayedFunction } from './debounce.ts'

export interface ThrottleFrameOptions {
  /** Once it aborts, what is pending is dropped and calls are ignored. */
  signal?: AbortSignal | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** A hidden page, and Node, have no frames; the run is then this late at most. */
const FRAME_LIMIT_MS = 100

/**
 * Runs `fn` in the next frame, once, with the last arguments and `this`: for work that the screen shows.
 * Where no frame comes within 100 ms (a hidden page, or none at all) a timer runs it.
 *
 * @param options see `ThrottleFrameOptions`.
 * @throws TypeError if `fn` is not a function.
 */
export function throttleFrame<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  { signal, clock = systemClock }: ThrottleFrameOptions = {},
): DelayedFunction<(this: This, ...args: Args) => Result> {
  checkType('function', 'fn', fn)
  const listeners = new Set<() => void>()
  let cancelTimer: (() => void) | undefined
  let cancelFrame: (() => void) | undefined
  let lastArgs: Args | undefined
  let lastThis: This | undefined
  let result: Result | undefined
  let isDisposed = false

  function throttled(this: This, ...args: Args): Result | undefined {
    if (isDisposed || signal?.aborted) return result
    const isFirst = !lastArgs
    lastArgs = args
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- it is kept for the run
    lastThis = this
    if (isFirst) {
      signal?.addEventListener('abort', cancel)
      cancelTimer = clock.after(FRAME_LIMIT_MS, flush)
      cancelFrame = clock.frame?.(flush)
      notifyAll(listeners)
    }
    return result
  }

  function cancel(): void {
    if (!lastArgs) return
    cancelTimer?.()
    cancelFrame?.()
    signal?.removeEventListener('abort', cancel)
    lastArgs = lastThis = cancelFrame = undefined
    notifyAll(listeners)
  }

  function flush(): Result | undefined {
    const args = lastArgs
    const self = lastThis as This
    cancel()
    return args && !signal?.aborted ? (result = fn.apply(self, args as never)) : result
  }

  return Object.assign(throttled, {
    cancel,
    flush,
    isPending: () => !!lastArgs,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [Symbol.dispose]() {
      cancel()
      isDisposed = true
    },
  })
}
