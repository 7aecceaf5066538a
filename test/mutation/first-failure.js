import fc from 'all-of-fast-check'

// One counterexample kills a mutant; shrinking it is not needed.
const firstFailure = (options = {}) => ({ ...options, endOnFailure: true })

export * from 'all-of-fast-check'
export default { ...fc, assert: (property, options) => fc.assert(property, firstFailure(options)) }
