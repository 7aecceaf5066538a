import { useSyncExternalStore, type ReactNode } from 'react'
import { useDebounce, useRateLimitStatus } from 'lull'
import type { EventLog } from './event-log.ts'
import { openWords } from './open-words.ts'
import { useSecondsLeft } from './use-seconds-left.ts'
import { waitWords } from './wait-words.ts'

/** Shorter pauses are not announced: they are over before a screen reader has read them. */
const ANNOUNCED_MS = 2000

/** The state of the rate-limited fetch and its reason. Screen readers announce a pause once, no countdown. */
export function GateMessage({ log }: { log: EventLog }): ReactNode {
  const snapshot = useRateLimitStatus()
  const { source = 'none', until } = snapshot.gate
  const seconds = useSecondsLeft(until)
  const {
    pauses: [pause],
    isDown,
  } = useSyncExternalStore(log.subscribe, log.totals)
  const { by } = waitWords[source]
  const { reason } = waitWords[source === 'backoff' && pause?.isSilent ? 'none' : source]
  const isClosed = seconds > 0
  const isAnnounced = isClosed && pause && pause.restMs >= ANNOUNCED_MS
  const announced = useDebounce(
    isAnnounced ? `${reason}. Nothing is sent for ${Math.round(pause.restMs / 1000)} s.` : '',
    500,
  )
  return (
    <div
      className={isClosed ? 'gate-words is-closed' : isDown ? 'gate-words is-down' : 'gate-words'}
      data-testid="gate"
    >
      <span aria-hidden="true" className="lamp" />
      <p>
        <span data-testid="countdown">{isClosed && `${reason}. Next try in ${seconds} s.`}</span>
        {isClosed ? <span className="note">The time comes from {by}.</span> : openWords(snapshot, isDown)}
      </p>
      <span className="visually-hidden" role="status">
        {announced}
      </span>
    </div>
  )
}
