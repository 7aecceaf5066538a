import fc from 'fast-check'

type Members = Record<string, fc.Arbitrary<unknown>>

export type Weighted = Record<string, number | readonly [weight: number, members: Members]>

type Named<Names> = Names extends `${infer One} ${infer Rest}` ? One | Named<Rest> : Names

type Drawn<Given> = Given extends readonly [number, infer All extends Members]
  ? { [Name in keyof All]: All[Name] extends fc.Arbitrary<infer Value> ? Value : never }
  : unknown

/** A member of the union for each name, so that a comparison with `do` narrows it. */
type Each<Name, More> = Name extends string ? { do: Name } & More : never

type StepOf<All> = { [Names in keyof All]: Each<Named<Names>, Drawn<All[Names]>> }[keyof All]

/** What an arbitrary draws, or an array of it. */
export type Of<Arbitrary> =
  Arbitrary extends fc.Arbitrary<infer Value> ? (Value extends (infer Step)[] ? Step : Value) : never

/** Steps keyed by names, separated by spaces; each with its weight and members. */
export const anyOf = <const All extends Weighted>(weighted: All): fc.Arbitrary<StepOf<All>> =>
  fc.oneof(
    ...Object.entries(weighted).map(([names, given]) => {
      const [weight, members] = typeof given === 'number' ? [given, {}] : given
      return { weight, arbitrary: fc.record({ do: fc.constantFrom(...names.split(' ')), ...members }) }
    }),
  ) as fc.Arbitrary<StepOf<All>>

/** Scripts of up to `maxLength` steps. */
export const scriptsOf = <const All extends Weighted>(
  maxLength: number,
  weighted: All,
): fc.Arbitrary<StepOf<All>[]> => fc.array(anyOf(weighted), { maxLength, size: 'max' })

/** Arrays of up to `maxLength` records. */
export const recordsOf = <T>(maxLength: number, members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.array(fc.record(members), { maxLength, size: 'max' })

/** A value, or undefined for no change. */
export const orNot = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(values, { nil: undefined })
