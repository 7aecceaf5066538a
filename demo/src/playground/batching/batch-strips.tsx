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
      <StripRow name="Items" words="as they are added" id="batch-items" count={items}>
        added
      </StripRow>
      <StripRow
        name="Calls"
        words="with the number of items"
        className="strip-calls"
        id="batch-calls"
        count={calls}
      >
        sent
      </StripRow>
      <StripRow name="Results" words="one for each item" id="batch-returned" count={returned}>
        returned
      </StripRow>
      <AxisRow />
    </ul>
  )
}
