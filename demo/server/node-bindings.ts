import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What Node's server hands over with a request. `app.request`, as tests call it, hands over nothing. */
export function nodeBindings(c: Context): Partial<HttpBindings> {
  return (c.env as Partial<HttpBindings> | undefined) ?? {}
}
