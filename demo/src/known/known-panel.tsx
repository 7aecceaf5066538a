import { useSyncExternalStore, type ReactNode } from 'react'
import { useRateLimitStatus } from 'lull'
import type { BucketSnapshot } from 'lull/fetch'
import type { EventLog } from '../status/event-log.ts'
import { OriginFacts } from './origin-facts.tsx'

/** The learned facts of the rate-limited fetch for each origin. */
export function KnownPanel({ log }: { log: EventLog }): ReactNode {
  const { buckets } = useRateLimitStatus()
  const { pauses, named } = useSyncExternalStore(log.subscribe, log.totals)
  // No bucket exists before the first request.
  const known: Record<string, BucketSnapshot | undefined> = { [location.origin]: undefined, ...buckets }
  return (
    <div className="card known">
      {Object.entries(known).map(([origin, bucket]) => (
        <OriginFacts
          key={origin}
          origin={origin === location.origin ? undefined : origin}
          bucket={bucket}
          isNamed={named[origin]}
          pauses={pauses.filter(({ key }) => key === origin)}
        />
      ))}
    </div>
  )
}
