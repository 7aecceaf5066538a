import type { Field } from './fields.ts'
import { changedSettings } from './changed-settings.ts'
import { schema, type AllSettings, type GroupName } from './schema.ts'

/** Longer hashes are ignored: the page does not write them. */
const MAX_LENGTH = 2000

type AnyField = Field<unknown>
const groups = Object.entries(schema as Record<string, Record<string, AnyField>>)

/** Reads the settings from `hash`, which starts with `#`. Missing or invalid values get their defaults. */
export function readLink(hash: string): AllSettings {
  const parameters = new URLSearchParams(hash.length > MAX_LENGTH ? '' : hash.slice(1))
  const settings = groups.map(([name, fields]) => {
    const values = Object.entries(fields).map(([key, { initial, read }]) => {
      const text = parameters.get(`${name}.${key}`)
      return [key, (text === null ? undefined : read(text)) ?? initial]
    })
    return [name, Object.fromEntries(values) as unknown]
  })
  return Object.fromEntries(settings) as AllSettings
}

/** The hash that encodes `settings`; empty if all have their defaults. */
export function writeLink(settings: AllSettings): string {
  const parameters = new URLSearchParams()
  for (const [name, fields] of groups)
    for (const [key, value] of Object.entries(
      changedSettings(name as GroupName, settings[name as GroupName]),
    ))
      parameters.set(`${name}.${key}`, fields[key]!.write(value))
  return parameters.size > 0 ? `#${parameters.toString()}` : ''
}
