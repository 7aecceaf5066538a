import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** The bindings of Node's server for a request; empty with `app.request`, which tests use. */
export function nodeBindings(c: Context): Partial<HttpBindings> {
  return (c.env as Partial<HttpBindings> | undefined) ?? {}
}
