import fc from 'fast-check'

/**
 * The number of runs of a property: in `npm test` a fiftieth of `full`, but at least 40 (or all, if fewer), with a fixed seed;
 * if `LULL_LAWS` is set all of `full`, with a fresh seed.
 */
export const tries = (full: number): { numRuns: number; seed?: number } =>
  process.env['LULL_LAWS']
    ? { numRuns: full }
    : { numRuns: Math.max(Math.ceil(full / 50), Math.min(full, 40)), seed: 1 }

type Law<Args extends [unknown, ...unknown[]], Result> = [
  ...arbitraries: { [Index in keyof Args]: fc.Arbitrary<Args[Index]> },
  law: (...args: Args) => Result,
]

/** Checks that a law holds for all arguments that the arbitraries draw, in as many runs as `tries` says. */
export const forAll = <Args extends [unknown, ...unknown[]]>(full: number, ...law: Law<Args, void>): void =>
  fc.assert(fc.property(...law), tries(full))

export const forAllAsync = <Args extends [unknown, ...unknown[]]>(
  full: number,
  ...law: Law<Args, Promise<void>>
): Promise<void> => fc.assert(fc.asyncProperty(...law), tries(full))
