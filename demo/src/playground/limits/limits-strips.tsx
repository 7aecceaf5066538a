import type { ReactNode, Ref } from 'react'
import { number } from '../../number.ts'
import { AxisRow, StripRow } from '../../strips/strip-row.tsx'
import type { Tally } from './limits-model.ts'

interface LimitsStripsProps {
  tally: Tally
  /** The element with the canvases, in the order of the rows. */
  ref: Ref<HTMLUListElement>
}

export function LimitsStrips({ tally: { sent, rows }, ref }: LimitsStripsProps): ReactNode {
  return (
    <ul ref={ref}>
      <StripRow name="Requests" words="the same for all" className="strip-input" id="limit-sent" count={sent}>
        sent
      </StripRow>
      {rows.map(({ name, words, admitted }) => (
        <StripRow key={name} name={name} words={words} id={`limit-${name}`} count={admitted}>
          of {number.format(sent)} <span className="visually-hidden">allowed</span>
        </StripRow>
      ))}
      <AxisRow />
    </ul>
  )
}
