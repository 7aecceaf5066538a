/** The folders of `src` that are mutated, each with the tests in the folder of the same name below `test`. */
export const parts = [
  'core/shared',
  'core/time',
  'core/debounce',
  'core/limit',
  'core/queue',
  'core/adaptive',
  'fetch',
  'fetch/headers',
  'fetch/policies',
  'fetch/wrappers',
  'react',
]

/** A part's name in a file's name. */
export const slugOf = (part) => part.replaceAll('/', '-')
