import { useSyncExternalStore, type ReactNode } from 'react'
import { useCountdown, useRateLimitStatus } from 'lull'
import type { FetchSnapshot } from 'lull/fetch'
import type { EventLog } from './event-log.ts'

/** What the paced fetch does and why, in words. Only of a pause, who listens is told. */
export function GateMessage({ log }: { log: EventLog }): ReactNode {
  const snapshot = useRateLimitStatus()
  const seconds = useCountdown(snapshot.gate.until)
  const { source } = useSyncExternalStore(log.subscribe, log.totals)
  const reason = source === 'backoff' ? 'too many requests, and not for how long' : 'too many requests'
  return (
    <p className={seconds > 0 ? 'gate-words is-closed' : 'gate-words'} data-testid="gate">
      <span aria-hidden="true" className="lamp" />
      <span>
        <span aria-live="polite" aria-atomic="true" data-testid="countdown">
          {seconds > 0 && `The server said: ${reason}. Next try in ${seconds} s.`}
        </span>
        {seconds === 0 && openWords(snapshot)}
      </span>
    </p>
  )
}

function openWords({ window, queued, inFlight, sleeping }: FetchSnapshot): string {
  if (sleeping > 0) return 'No good answer. It will be asked again in a moment.'
  if (window === 1 && inFlight > 0) return 'The pause is over. One request goes first, to see.'
  if (queued > 0) return 'Waiting for the page’s own pace.'
  return inFlight > 0 ? 'Asking the server.' : 'Open: a request goes out at once.'
}
