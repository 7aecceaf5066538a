import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { ErrorAnswer, SearchAnswer } from './api.ts'
import { nodeBindings } from './node-bindings.ts'

interface FaultOptions {
  answer: SearchAnswer
  fields: Record<string, string>
  random: () => number
}

/**
 * One of three failures, a third each: status 503 with no word on when to come back; half of `answer` with status 200
 * and `fields`, which looks good until it is parsed; a dropped connection (503 where there is none to drop).
 */
export function answerWithFault(c: Context, { answer, fields, random }: FaultOptions): Response {
  const kind = (['unavailable', 'garbage', 'dropped'] as const)[Math.floor(random() * 3)]
  if (kind === 'garbage') {
    const text = JSON.stringify(answer)
    return c.body(text.slice(0, text.length / 2), 200, { ...fields, 'Content-Type': 'application/json' })
  }
  const { outgoing } = nodeBindings(c)
  if (kind === 'dropped' && outgoing) {
    outgoing.destroy()
    return RESPONSE_ALREADY_SENT
  }
  return c.json<ErrorAnswer>({ error: 'Service unavailable' }, 503)
}
