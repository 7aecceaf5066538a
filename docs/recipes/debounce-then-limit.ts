import {
  createWaitingLimiter,
  debounceAsync,
  systemClock,
  tokenBucket,
} from 'lull/core'

/** Sends the latest call `wait` ms after calls stop, at a limited rate. */
export function debounceThenLimit<Args extends unknown[], Result>(
  send: (signal: AbortSignal, ...args: Args) => Promise<Result>,
  {
    wait,
    ratePerSecond,
    clock = systemClock,
  }: { wait: number; ratePerSecond: number; clock?: typeof systemClock },
) {
  const limiter = createWaitingLimiter(
    tokenBucket({ ratePerSecond, burst: 1 }),
    { clock },
  )
  return debounceAsync(
    async (signal, ...args: Args) => {
      // A newer run aborts this one, which then leaves the queue.
      await limiter.wait(1, { signal })
      return send(signal, ...args)
    },
    wait,
    { clock },
  )
}
