/**
 * The number of runs of a property: in `npm test` a fiftieth of `full`, but at least 40, with a fixed seed;
 * if `LULL_LAWS` is set all of `full`, with a fresh seed.
 */
export const tries = (full: number): { numRuns: number; seed?: number } =>
  process.env['LULL_LAWS']
    ? { numRuns: full }
    : { numRuns: Math.max(Math.ceil(full / 50), Math.min(full, 40)), seed: 1 }
