import {
  createWaitingLimiter,
  slidingWindowLog,
  systemClock,
} from 'lull/core'

/** Runs `fn` at most twice in any second. Other calls wait. */
export function throttled<Args extends unknown[], Result>(
  fn: (...args: Args) => Result | Promise<Result>,
  {
    signal,
    clock = systemClock,
  }: { signal?: AbortSignal; clock?: typeof systemClock } = {},
) {
  // pThrottle({ limit: 2, interval: 1000, strict: true, signal })(fn)
  const limiter = createWaitingLimiter(
    slidingWindowLog({ limit: 2, windowMs: 1000 }),
    { clock },
  )
  return async (...args: Args): Promise<Result> => {
    await limiter.wait(1, { signal })
    return fn(...args)
  }
}
// Five calls at once run at 0, 0, 1000, 1000 and 2000 ms.
