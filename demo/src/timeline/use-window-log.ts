import { useEffect } from 'react'
import { useRateLimitedFetch } from 'lull'
import { systemClock } from 'lull/core'
import type { EventLog } from '../status/event-log.ts'

/** Logs changes of the window (the maximum in flight): the fetch has no event for them. */
export function useWindowLog(log: EventLog): void {
  const fetch = useRateLimitedFetch()
  useEffect(() => {
    let last = Infinity
    return fetch.subscribe(() => {
      const { window } = fetch.snapshot()
      if (window === last) return
      last = window
      log.add({ type: 'window', window, at: systemClock.now() })
    })
  }, [fetch, log])
}
