import { useEffect, useState } from 'react'
import { systemClock, tokenBucket, type Rule } from 'lull/core'
import { composeRateLimitedFetch, type RateLimitedFetch } from 'lull/fetch'
import type { EventLog } from '../status/event-log.ts'
import { createPolicies } from './policies.ts'
import { useSettings, useSettingsStore } from '../settings/settings-provider.tsx'
import type { SettingsStore } from '../settings/settings-store.ts'
import { isVolley } from '../typing/use-volley.ts'

/** The page's rate-limited fetch, with the policies that are switched on. It is never disposed. */
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

/** Reads the client-side limit from the settings. */
function ownLimit(store: SettingsStore): () => Rule | undefined {
  return () => {
    const { ratePerSecond, burst } = store.read().page
    return ratePerSecond < Infinity ? tokenBucket({ ratePerSecond, burst }) : undefined
  }
}

/** The fetch below the rate limits. Logs requests for typed text, but not those of a volley. */
const typedFetch =
  (log: EventLog): typeof fetch =>
  (input, init) => {
    if (!isVolley(input instanceof Request ? input.url : String(input)))
      log.add({ type: 'typed', at: systemClock.now() })
    return globalThis.fetch(input, init)
  }
