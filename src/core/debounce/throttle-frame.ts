import { checkType } from '../shared/check.ts'
import { adviseOnOptions } from '../shared/develop.ts'
import { notifyAll } from '../shared/store.ts'
import { systemClock, type Clock } from '../time/clock.ts'
import type { DelayedFunction, Uninferred } from './debounce.ts'

export interface ThrottleFrameOptions {
  /** When it aborts, a pending run is dropped; from then on, calls are ignored. */
  signal?: AbortSignal | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** Maximum wait for a frame. A hidden page and Node have no frames. */
const FRAME_LIMIT_MS = 100

/**
 * Returns a function that runs `fn` once in the next frame, with the last arguments and `this`, for visible work. If no frame
 * comes within 100 ms (a hidden page, or no page at all), a timer runs it.
 *
 * @param options see `ThrottleFrameOptions`.
 * @throws TypeError if `fn` is not a function.
 */
export function throttleFrame<This, Args extends readonly unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  options: ThrottleFrameOptions = {},
): DelayedFunction<(this: Uninferred<This>, ...args: Args) => Result> {
  adviseOnOptions('throttleFrame', options)
  const { signal, clock = systemClock } = options
  checkType('function', 'fn', fn)
  const listeners = new Set<() => void>()
  let cancelTimer: (() => void) | undefined
  let cancelFrame: (() => void) | undefined
  // The pending run: the last call, due in the next frame.
  let next: (() => Result) | undefined
  let result: Result | undefined
  let isDisposed: boolean | undefined

  function throttled(this: This, ...args: Args): Result | undefined {
    if (isDisposed || signal?.aborted) return result
    const isFirst = !next
    next = () => fn.apply(this, args as never)
    if (isFirst) {
      signal?.addEventListener('abort', cancel)
      cancelTimer = clock.after(FRAME_LIMIT_MS, flush)
      cancelFrame = clock.frame?.(flush)
      notifyAll(listeners)
    }
    return result
  }

  function cancel(): void {
    if (!next) return
    cancelTimer!()
    cancelFrame?.()
    signal?.removeEventListener('abort', cancel)
    next = undefined
    notifyAll(listeners)
  }

  function flush(): Result | undefined {
    const run = next
    cancel()
    return run && !signal?.aborted ? (result = run()) : result
  }

  return Object.assign(throttled, {
    cancel,
    flush,
    isPending: () => !!next,
    subscribe(listener: () => void) {
      // A function of its own, so that subscribing a listener twice makes two subscriptions.
      const own = (): void => listener()
      listeners.add(own)
      return () => listeners.delete(own)
    },
    [Symbol.dispose]() {
      isDisposed = true
      cancel()
    },
  })
}
