import fc from 'all-of-fast-check'

/** How often a property is tried here: thousands of times for each mutant would take days. */
const fewer = (runs) => Math.min(runs, Math.max(40, Math.ceil(runs / 50)))

const capped = (options = {}) => ({
  ...options,
  numRuns: fewer(options.numRuns ?? 100),
  // One counterexample kills: the smallest one is for readers.
  endOnFailure: true,
})

export * from 'all-of-fast-check'
export default { ...fc, assert: (property, options) => fc.assert(property, capped(options)) }
