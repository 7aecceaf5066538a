import { useEffect, useState } from 'react'
import { systemClock } from 'lull/core'
import { composeRateLimitedFetch, type RateLimit, type RateLimitedFetch } from 'lull/fetch'
import type { EventLog } from '../status/event-log.ts'
import { createPolicies } from './policies.ts'
import { useSettings, useSettingsStore } from '../settings/settings-provider.tsx'
import type { SettingsStore } from '../settings/settings-store.ts'
import { isVolley } from '../typing/use-volley.ts'

/** The page's fetch, with the policies that are switched on. It lives as long as the page. */
export function useSwitchedFetch(log: EventLog): RateLimitedFetch {
  const store = useSettingsStore()
  const [on] = useSettings('policies')
  const [{ fetch, choose }] = useState(() => {
    const choose = createPolicies(ownLimit(store))
    const options = { fetch: typedFetch(log), onEvent: log.add, policies: choose(on) }
    return { fetch: composeRateLimitedFetch(options), choose }
  })
  useEffect(() => fetch.configure({ policies: choose(on) }), [fetch, choose, on])
  return fetch
}

/** The visitor's own limit: the same object until it changes. */
function ownLimit(store: SettingsStore): () => RateLimit | undefined {
  let limit: RateLimit | undefined
  return () => {
    const { ratePerSecond, burst } = store.read().page
    if (ratePerSecond === Infinity) limit = undefined
    else if (limit?.ratePerSecond !== ratePerSecond || limit.burst !== burst) limit = { ratePerSecond, burst }
    return limit
  }
}

/** A fetch below the rate limits that notes the requests for what was typed, and not those of a volley. */
const typedFetch =
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
