/**
 * How many random scripts are tried: `few`, or as many as `npm run conformance` asks for.
 *
 * @param share of those, where a script takes longer than others.
 */
export function runs(few: number, share = 1): number {
  const asked = process.env['CONFORMANCE_RUNS']
  return asked ? Number(asked) * share : few
}
