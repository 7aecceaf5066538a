import fc from 'fast-check'

type Members = Record<string, fc.Arbitrary<unknown>>

export type Weighted = Record<string, number | readonly [weight: number, members: Members]>

/** Steps keyed by names, separated by spaces; each with its weight and members. */
export const anyOf = <Step>(weighted: Weighted): fc.Arbitrary<Step> =>
  fc.oneof(
    ...Object.entries(weighted).map(([names, given]) => {
      const [weight, members] = typeof given === 'number' ? [given, {}] : given
      return { weight, arbitrary: fc.record({ do: fc.constantFrom(...names.split(' ')), ...members }) }
    }),
  ) as fc.Arbitrary<Step>

/** A value, or undefined for no change. */
export const orNot = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(values, { nil: undefined })
