import type { Field } from './fields.ts'
import { saidOf } from './said-of.ts'
import { schema, type AllSettings, type GroupName } from './schema.ts'

/** Longer ones are not ours. */
const MAX_LENGTH = 2000

type AnyField = Field<unknown>
const groups = Object.entries(schema as Record<string, Record<string, AnyField>>)

/** The settings that `hash` (of an address, with its `#`) says; what it does not say, or says wrong, is as at first. */
export function readLink(hash: string): AllSettings {
  const said = new URLSearchParams(hash.length > MAX_LENGTH ? '' : hash.slice(1))
  const settings = groups.map(([name, fields]) => {
    const values = Object.entries(fields).map(([key, { initial, read }]) => {
      const text = said.get(`${name}.${key}`)
      return [key, (text === null ? undefined : read(text)) ?? initial]
    })
    return [name, Object.fromEntries(values) as unknown]
  })
  return Object.fromEntries(settings) as AllSettings
}

/** The hash that says `settings`: empty if all are as at first. */
export function writeLink(settings: AllSettings): string {
  const words = new URLSearchParams()
  for (const [name, fields] of groups)
    for (const [key, value] of Object.entries(saidOf(name as GroupName, settings[name as GroupName])))
      words.set(`${name}.${key}`, fields[key]!.write(value))
  return words.size > 0 ? `#${words.toString()}` : ''
}
