/**
 * Static pages are rendered at build time, where components that read a clock or random numbers are errors.
 */
export default { cacheComponents: true, partialPrefetching: true }
