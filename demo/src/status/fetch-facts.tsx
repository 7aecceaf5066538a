import { useSyncExternalStore, type ReactNode } from 'react'
import { useRateLimitStatus } from 'lull'
import type { ClientSettings } from '../settings/schema.ts'
import type { EventLog } from './event-log.ts'
import { useTokensLeft } from '../client/use-tokens-left.ts'

/** The default of the library. */
const MOST_ATTEMPTS = 3

interface FetchFactsProps {
  log: EventLog
  settings: ClientSettings
}

export function FetchFacts({ log, settings }: FetchFactsProps): ReactNode {
  const { queued, inFlight, sleeping } = useRateLimitStatus()
  const { attempt } = useSyncExternalStore(log.subscribe, log.totals)
  const tokens = useTokensLeft(settings)
  return (
    <dl className="facts">
      <Fact name="Queue" id="queued">
        {queued + sleeping}
      </Fact>
      <Fact name="In flight" id="in-flight">
        {inFlight}
      </Fact>
      <Fact name="Attempt" id="attempt">
        {attempt ? `${attempt} of ${MOST_ATTEMPTS}` : '–'}
      </Fact>
      <Fact name="Your limit" id="tokens">
        {tokens === Infinity ? 'off' : `${tokens.toFixed(1)} of ${settings.burst}`}
      </Fact>
    </dl>
  )
}

function Fact({ name, id, children }: { name: string; id: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-testid={id}>{children}</dd>
    </div>
  )
}
