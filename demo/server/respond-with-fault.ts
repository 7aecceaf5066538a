import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { ErrorResponse, SearchResponse } from './api.ts'
import { nodeBindings } from './node-bindings.ts'

interface FaultOptions {
  body: SearchResponse
  fields: Record<string, string>
  random: () => number
}

/**
 * Fails in one of three ways, equally likely: status 503 without Retry-After; status 200 with `fields` and
 * half of the JSON; or a dropped connection (503 if there is no connection).
 */
export function respondWithFault(c: Context, { body, fields, random }: FaultOptions): Response {
  const kind = (['unavailable', 'garbage', 'dropped'] as const)[Math.floor(random() * 3)]
  if (kind === 'garbage') {
    const text = JSON.stringify(body)
    return c.body(text.slice(0, text.length / 2), 200, { ...fields, 'Content-Type': 'application/json' })
  }
  const { outgoing } = nodeBindings(c)
  if (kind === 'dropped' && outgoing) {
    outgoing.destroy()
    return RESPONSE_ALREADY_SENT
  }
  return c.json<ErrorResponse>({ error: 'Service unavailable' }, 503)
}
