import type { ReactNode, Ref } from 'react'
import { AxisRow, StripRow } from '../../strips/strip-row.tsx'
import type { BatchTally } from './batch-recording.ts'

interface BatchStripsProps {
  tally: BatchTally
  /** The element with the canvases, in the order of the rows. */
  ref: Ref<HTMLUListElement>
}

export function BatchStrips({ tally: { items, calls, returned }, ref }: BatchStripsProps): ReactNode {
  return (
    <ul className="stacked" ref={ref}>
      <StripRow name="Items" words="as they are added" className="strip-lane">
        <b data-testid="batch-items">{items}</b> added
      </StripRow>
      <StripRow name="Calls" words="with the number of items" className="strip-calls">
        <b data-testid="batch-calls">{calls}</b> sent
      </StripRow>
      <StripRow name="Results" words="one for each item" className="strip-lane">
        <b data-testid="batch-returned">{returned}</b> returned
      </StripRow>
      <AxisRow />
    </ul>
  )
}
