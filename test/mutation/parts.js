/** The folders of `src` to mutate; each is tested by the folder of the same name in `test`. */
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
  'tabs',
]

/** Returns a part's name for use in a file name. */
export const slugOf = (part) => part.replaceAll('/', '-')
