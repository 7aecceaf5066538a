import { useEffect, useState } from 'react'
import { composeRateLimitedFetch, type RateLimit, type RateLimitedFetch } from 'lull/fetch'
import type { EventLog } from './event-log.ts'
import { createPolicies } from './policies.ts'
import { useSettings, useSettingsStore } from './settings/settings-provider.tsx'
import type { SettingsStore } from './settings/settings-store.ts'
import { typedFetch } from './typed-fetch.ts'

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
