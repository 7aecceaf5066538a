import { createLimiter, slidingWindowLog, systemClock } from 'lull/core'

/** Returns a message for the user: five tries in any minute. */
export function createTries(
  submit: (code: string) => void,
  clock = systemClock,
) {
  // new RateLimiter(submit,
  //   { limit: 5, window: 60_000, windowType: 'sliding' })
  const limiter = createLimiter(
    slidingWindowLog({ limit: 5, windowMs: 60_000 }),
    { clock },
  )
  return (code: string): string => {
    // rateLimiter.maybeExecute(code), getMsUntilNextWindow()
    const { allowed, retryAfterMs, remaining } = limiter.decide()
    if (!allowed) return `Again in ${Math.ceil(retryAfterMs / 1000)} s`
    submit(code)
    return `${remaining} tries left`
  }
}
// Six tries, ten seconds apart: 4, 3, 2, 1 and 0 tries left, then
// "Again in 10 s".
