/**
 * The suites in the order of the page. Each runs in its own process, and so does each part in `apart`: a program has one rule,
 * rarely two, and the compiler makes slower code for functions that have seen six.
 */
export const suites = [
  {
    name: 'calls',
    title: 'Calls',
    about:
      'Most of the time goes to reading the clock: lull and the code by hand read `performance.now`, which nobody can set; lodash, es-toolkit and TanStack Pacer read `Date.now`, which is faster.',
  },
  { name: 'timers', title: 'Timers' },
  { name: 'debouncers', title: 'Many debounced functions' },
  {
    name: 'decisions',
    title: 'Decisions',
    about:
      'The time of one decision, with the reading of the clock. The limit of the allowed ones is 10⁹; that of the denied ones is used up for an hour.',
    apart: ['tokenBucket', 'gcra', 'leakyBucket', 'fixedWindow', 'slidingWindowCounter', 'slidingWindowLog'],
  },
  // Large enough that nothing is collected during the measurement.
  {
    name: 'allocations',
    title: 'Allocations',
    flags: ['--min-semi-space-size=128', '--max-semi-space-size=128'],
  },
  { name: 'keys', title: 'Keys' },
  { name: 'queue', title: 'Queues' },
  { name: 'aborts', title: 'Waiting and aborts' },
  { name: 'hooks', title: 'Hooks' },
  { name: 'fetch', title: 'The rate-limited fetch' },
  {
    name: 'sizes',
    title: 'Sizes',
    about: 'Minified and compressed with gzip, without React, as `npm run size` does it.',
  },
]
