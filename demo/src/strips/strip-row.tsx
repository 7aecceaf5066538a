import type { ReactNode } from 'react'
import { number } from '../number.ts'

interface StripRowProps {
  name: string
  /** A short description. */
  words: string
  /** The class of the canvas. */
  className?: string
  /** The test ID of the count. */
  id: string
  /** Shown to the right of the canvas, before the children. */
  count: number | string
  children?: ReactNode
}

/** A row of a picture: the name, the canvas, and the count. */
export function StripRow({ name, words, className, id, count, children }: StripRowProps): ReactNode {
  return (
    <li className="strip-row">
      <p>
        <b>{name}</b> <span className="note">{words}</span>
      </p>
      <canvas className={className} aria-hidden="true" />
      <p className="strip-count">
        <b data-testid={id}>{typeof count === 'number' ? number.format(count) : count}</b> {children}
      </p>
    </li>
  )
}

/** The last row: the time axis. */
export function AxisRow(): ReactNode {
  return (
    <li className="strip-row" aria-hidden="true">
      <canvas className="strip-axis" />
    </li>
  )
}
