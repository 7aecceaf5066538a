import { useEffect } from 'react'
import { useRateLimitedFetch } from 'lull'
import { systemClock } from 'lull/core'
import type { EventLog } from '../status/event-log.ts'

/** Notes in `log` how many requests may be in flight, whenever that changes: there is no event for it. */
export function useWindowNotes(log: EventLog): void {
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
