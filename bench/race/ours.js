/** Returns the `makeClient` of lull: it never gives up; all other options have their defaults. */
export const makeOurs =
  (createRateLimitedFetch, options = {}) =>
  ({ fetch, clock, url }) => {
    const pacedFetch = createRateLimitedFetch({
      fetch,
      clock,
      maxRetries: Infinity,
      maxWaitMs: Infinity,
      maxQueue: 10_000,
      ...options,
    })
    return async () => (await pacedFetch(url)).status
  }
