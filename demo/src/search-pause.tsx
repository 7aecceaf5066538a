import { useSyncExternalStore, type ReactNode } from 'react'
import { useRateLimitStatus } from 'lull'
import type { EventLog } from './event-log.ts'
import { PauseBar } from './pause-bar.tsx'

/** The pause below the input, which stays in view above the keyboard of a phone. */
export function SearchPause({ log }: { log: EventLog }): ReactNode {
  const { until } = useRateLimitStatus().gate
  const {
    pauses: [pause],
  } = useSyncExternalStore(log.subscribe, log.totals)
  return <PauseBar from={pause?.at} until={until} />
}
