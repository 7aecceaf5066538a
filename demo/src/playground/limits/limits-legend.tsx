import type { ReactNode } from 'react'

/** The legend of the strips. */
export function LimitsLegend(): ReactNode {
  return (
    <ul className="legend" aria-hidden="true">
      <li className="marked limit-admitted">allowed</li>
      <li className="marked limit-refused">refused</li>
      <li className="marked limit-level">what is left, up to the burst</li>
      <li className="marked limit-window">a window begins</li>
    </ul>
  )
}
