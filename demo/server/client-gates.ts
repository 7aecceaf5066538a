import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { createGate, type Gate } from './create-gate.ts'
import { createLruMap } from './lru-map.ts'
import { nodeBindings } from './node-bindings.ts'
import type { Settings } from './api.ts'

export interface ClientEnv {
  Variables: {
    /** The settings that hold for who asks. */
    gate: Gate
    /** Who asks: what to limit by. */
    key: string
  }
}

interface ClientGatesOptions {
  settings: Settings
  /** How many clients are remembered, those with a name and those without each; the least recent is forgotten. */
  maxClients: number
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * Tells clients apart. Requests with a `client` parameter have settings of that name's own, so that two tabs or tests
 * do not disturb each other; the others share one set, and are limited by address. Anyone can make up a name: this is
 * no model for a limit that somebody may want to evade.
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
      throw new HTTPException(400, { message: 'Expected client to be 1 to 100 characters' })
    }
    c.set('gate', client ? namedGate(client) : shared)
    c.set('key', client ?? nodeBindings(c).incoming?.socket.remoteAddress ?? 'unknown')
    await next()
  })
}
