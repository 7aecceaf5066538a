/** A maker of our client: nothing is given up, the rest is the default. */
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
