import type { ReactNode, Ref } from 'react'
import type { Tally } from './limits-model.ts'

interface LimitsStripsProps {
  tally: Tally
  /** For who draws into the canvases, which stand in the order of the rows. */
  ref: Ref<HTMLUListElement>
}

export function LimitsStrips({ tally: { sent, rows }, ref }: LimitsStripsProps): ReactNode {
  return (
    <ul className="limit-rows" ref={ref}>
      <li className="limit-row">
        <p className="limit-name">
          <b>Requests</b> <span className="note">the same for all</span>
        </p>
        <canvas className="limit-input" aria-hidden="true" />
        <p className="limit-count">
          <b data-testid="limit-sent">{sent}</b> sent
        </p>
      </li>
      {rows.map(({ name, words, admitted }) => (
        <li key={name} className="limit-row">
          <p className="limit-name">
            <b>{name}</b> <span className="note">{words}</span>
          </p>
          <canvas aria-hidden="true" />
          <p className="limit-count">
            <span className="visually-hidden">admitted </span>
            <b data-testid={`limit-${name}`}>{admitted}</b> of {sent}
          </p>
        </li>
      ))}
      <li className="limit-row" aria-hidden="true">
        <canvas className="limit-axis" />
      </li>
    </ul>
  )
}
