import type { ReactNode, Ref } from 'react'
import { AxisRow, StripRow } from '../../strips/strip-row.tsx'
import { laneNames, type LaneName } from './mode-lanes.ts'
import type { ModeTally } from './mode-recording.ts'

const words: Record<LaneName, string> = {
  leading: 'first of a burst',
  trailing: 'after a pause',
  both: 'first, and after a pause',
  maxWait: 'after a pause, or after maxWait',
  throttle: 'at once, then every wait',
  frame: 'once a frame',
}

interface ModesStripsProps {
  tally: ModeTally
  /** The element with the canvases, in the order of the rows. */
  ref: Ref<HTMLUListElement>
}

export function ModesStrips({ tally: { events, runs }, ref }: ModesStripsProps): ReactNode {
  return (
    <ul ref={ref}>
      <StripRow name="raw" words="every event" id="mode-raw" count={events}>
        events
      </StripRow>
      {laneNames.map((name) => (
        <StripRow key={name} name={name} words={words[name]} id={`mode-${name}`} count={runs[name]}>
          {runs[name] === 1 ? 'run' : 'runs'}
        </StripRow>
      ))}
      <AxisRow />
    </ul>
  )
}
