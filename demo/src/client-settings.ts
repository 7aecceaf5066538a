import type { Group } from './settings/schema.ts'

/** How this page treats what is typed: waits in ms, rates per second; Infinity is none. */
export type ClientSettings = Group<'page'>
