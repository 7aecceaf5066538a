import type { Field } from './fields.ts'
import { schema, type Group, type GroupName } from './schema.ts'

/** The settings of a group that are not as at first. */
export function saidOf<Name extends GroupName>(name: Name, settings: Group<Name>): Partial<Group<Name>> {
  const fields = schema[name] as Record<string, Field<unknown>>
  const said = Object.entries(settings).filter(([key, value]) => value !== fields[key]!.initial)
  return Object.fromEntries(said) as Partial<Group<Name>>
}
