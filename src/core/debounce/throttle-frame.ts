import { createAlarm } from '../time/alarm.ts'
import { checkFunction } from '../shared/check.ts'
import { systemClock, type Clock } from '../time/clock.ts'
import type { Held } from './held.ts'
import { createListeners } from '../shared/listeners.ts'

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
 * @throws TypeError if `fn` is not a function.
 */
export function throttleFrame<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
  { signal, clock = systemClock }: ThrottleFrameOptions = {},
): Held<This, Args, Result> {
  checkFunction('fn', fn)
  const { subscribe, notify } = createListeners()
  const alarm = createAlarm(clock, flush)
  let cancelFrame: (() => void) | undefined
  let held: Args | undefined
  let self: This | undefined
  let result: Result | undefined
  let isDisposed = false

  function hold(args: Args, withSelf: This): void {
    const isFirst = !held
    held = args
    self = withSelf
    if (!isFirst) return
    signal?.addEventListener('abort', release)
    alarm.set(clock.now() + FRAME_LIMIT_MS)
    cancelFrame = clock.frame?.(flush)
    notify()
  }

  function release(): void {
    if (!held) return
    alarm.clear()
    cancelFrame?.()
    signal?.removeEventListener('abort', release)
    held = self = cancelFrame = undefined
    notify()
  }

  function flush(): Result | undefined {
    const args = held
    const withSelf = self as This
    release()
    return args && !signal?.aborted ? (result = fn.apply(withSelf, args)) : result
  }

  function throttled(this: This, ...args: Args): Result | undefined {
    if (!isDisposed && !signal?.aborted) hold(args, this)
    return result
  }

  return Object.assign(throttled, {
    cancel: release,
    flush,
    isPending: () => !!held,
    subscribe,
    [Symbol.dispose]() {
      release()
      isDisposed = true
    },
  })
}
