/** What is static is rendered when it is built: there a component that reads a clock or draws a random number is an error. */
export default { cacheComponents: true, partialPrefetching: true }
