import type { ReactNode } from 'react'
import { useDebounce } from 'lull'
import { number } from '../../number.ts'
import { laneNames } from './mode-lanes.ts'
import type { ModeTally } from './mode-recording.ts'

/** Announces the runs of each mode to screen readers, debounced by 1 s. */
export function ModesSummary({ tally }: { tally: ModeTally }): ReactNode {
  const { events, runs } = useDebounce(tally, 1000)
  return (
    <p className="visually-hidden" role="status" data-testid="modes-summary">
      {events > 0 &&
        `Runs for ${number.format(events)} events: ${laneNames.map((name) => `${name} ${runs[name]}`).join(', ')}.`}
    </p>
  )
}
