import type { Field } from './fields.ts'
import { schema, type Group, type GroupName } from './schema.ts'

/** The settings of a group that differ from their defaults. */
export function changedSettings<Name extends GroupName>(
  name: Name,
  settings: Group<Name>,
): Partial<Group<Name>> {
  const fields = schema[name] as Record<string, Field<unknown>>
  const changed = Object.entries(settings).filter(([key, value]) => value !== fields[key]!.initial)
  return Object.fromEntries(changed) as Partial<Group<Name>>
}
