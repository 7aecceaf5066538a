import { createMiddleware } from 'hono/factory'
import { badRequest } from './bad-request.ts'
import { createGate, type Gate } from './create-gate.ts'
import { createLruMap } from './lru-map.ts'
import { nodeBindings } from './node-bindings.ts'
import type { Settings } from './api.ts'

export interface ClientEnv {
  Variables: {
    /** The settings and limits for the client. */
    gate: Gate
    /** The key of the client's limit. */
    key: string
  }
}

interface ClientGatesOptions {
  settings: Settings
  /** The maximum of named and of unnamed clients each; the least recently used is evicted. */
  maxClients: number
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Identifies the client. Each value of the `client` parameter has its own settings, so that tabs and tests do
 * not affect each other. Requests without it share one set of settings, and are limited by address. Clients
 * choose their names freely: do not copy this for a limit that must not be evaded.
 */
export function clientGates({ settings, maxClients, now }: ClientGatesOptions) {
  const shared = createGate({ settings, maxKeys: maxClients, now })
  const named = createLruMap<string, Gate>(maxClients)

  function namedGate(client: string): Gate {
    let gate = named.get(client)
    if (!gate) named.set(client, (gate = createGate({ settings, maxKeys: 1, now })))
    return gate
  }

  return createMiddleware<ClientEnv>(async (c, next) => {
    const client = c.req.query('client')
    if (client === '' || (client && client.length > 100)) {
      throw badRequest('Expected client to be 1 to 100 characters')
    }
    c.set('gate', client ? namedGate(client) : shared)
    c.set('key', client ?? nodeBindings(c).incoming?.socket.remoteAddress ?? 'unknown')
    await next()
  })
}
