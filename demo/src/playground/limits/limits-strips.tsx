import type { ReactNode, Ref } from 'react'
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
      <StripRow name="Requests" words="the same for all" className="strip-input">
        <b data-testid="limit-sent">{sent}</b> sent
      </StripRow>
      {rows.map(({ name, words, admitted }) => (
        <StripRow key={name} name={name} words={words}>
          <span className="visually-hidden">allowed </span>
          <b data-testid={`limit-${name}`}>{admitted}</b> of {sent}
        </StripRow>
      ))}
      <AxisRow />
    </ul>
  )
}
