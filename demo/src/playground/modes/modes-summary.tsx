import type { ReactNode } from 'react'
import { useDebounce } from 'lull'
import { laneNames } from './mode-lanes.ts'
import type { ModeTally } from './mode-recording.ts'

/** Says what each mode made of the events once the playhead rests, for who does not see it. */
export function ModesSummary({ tally }: { tally: ModeTally }): ReactNode {
  const { events, runs } = useDebounce(tally, 1000)
  return (
    <p className="visually-hidden" role="status" data-testid="modes-summary">
      {events > 0 &&
        `Runs for ${events} events: ${laneNames.map((name) => `${name} ${runs[name]}`).join(', ')}.`}
    </p>
  )
}
