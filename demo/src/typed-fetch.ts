import { systemClock } from 'lull/core'
import type { EventLog } from './event-log.ts'
import { isVolley } from './use-volley.ts'

/** A fetch below the rate limits that notes the requests for what was typed, and not those of a volley. */
export const typedFetch =
  (log: EventLog): typeof fetch =>
  async (input, init) => {
    const isTyped = !isVolley(input instanceof Request ? input.url : String(input))
    const note = (outcome: 'sent' | 'refused') =>
      isTyped && log.add({ type: 'typed', outcome, at: systemClock.now() })
    note('sent')
    const response = await globalThis.fetch(input, init)
    if (response.status === 429) note('refused')
    return response
  }
