import { headerStyles } from '../../server/api.ts'
import { speeds } from '../time/demo-time.ts'
import { boundField, choiceField, flagField, numberField, type Field } from './fields.ts'

/** The kinds of runs that a change of the text triggers. The chosen kind sends the requests. */
export const drivers = ['keystroke', 'debounced', 'throttled'] as const
export type Driver = (typeof drivers)[number]

const waitRange = { min: 0, max: 2000, step: 50 }
const maxWaitRange = { min: 100, max: 3000, step: 100 }

/** Every setting of the page by group: its default, its range, and its encoding in a link. */
export const schema = {
  page: {
    driver: choiceField<Driver>('debounced', drivers),
    wait: numberField(300, waitRange),
    leading: flagField(false),
    trailing: flagField(true),
    maxWait: boundField(Infinity, maxWaitRange),
    ratePerSecond: boundField(Infinity, { min: 0.5, max: 10, step: 0.5 }),
    burst: numberField(3, { min: 1, max: 10, step: 1 }),
  },
  policies: {
    learn: flagField(true),
    fields: flagField(true),
    legacy: flagField(true),
    breaker: flagField(false),
    priorities: flagField(true),
    tabs: flagField(true),
  },
  server: {
    ratePerSecond: numberField(2, { min: 0.5, max: 20, step: 0.5 }),
    burst: numberField(6, { min: 1, max: 20, step: 1 }),
    delayMs: numberField(120, { min: 0, max: 3000, step: 20 }),
    faultRate: numberField(0, { min: 0, max: 1, step: 0.05 }),
    headers: choiceField('both', headerStyles),
  },
  time: { speed: choiceField<number>(1, speeds) },
  modes: {
    wait: numberField(300, waitRange),
    maxWait: numberField(1000, maxWaitRange),
    span: choiceField('near', ['near', 'whole']),
  },
  scroll: { wait: numberField(200, waitRange) },
  limits: {
    ratePerSecond: numberField(3, { min: 1, max: 10, step: 1 }),
    burst: numberField(6, { min: 1, max: 12, step: 1 }),
  },
  adaptive: {
    ratePerSecond: numberField(20, { min: 2, max: 60, step: 1 }),
    load: numberField(60, { min: 5, max: 100, step: 5 }),
  },
  batch: {
    wait: numberField(500, waitRange),
    maxSize: numberField(5, { min: 1, max: 20, step: 1 }),
  },
  autosave: { wait: numberField(1000, { min: 0, max: 5000, step: 250 }) },
}

type Schema = typeof schema
export type GroupName = keyof Schema
type ValueOf<AField> = AField extends Field<infer Value> ? Value : never

/** The settings of one group. */
export type Group<Name extends GroupName> = {
  readonly [Key in keyof Schema[Name]]: ValueOf<Schema[Name][Key]>
}

export type AllSettings = { readonly [Name in GroupName]: Group<Name> }

/** The client-side settings of the search box: waits in ms, rates per second; Infinity means none. */
export type ClientSettings = Group<'page'>
