import type { ReactNode } from 'react'

interface StripRowProps {
  name: string
  /** A short description. */
  words: string
  /** The class of the canvas. */
  className?: string
  /** The text to the right of the canvas. */
  children?: ReactNode
}

/** A row of a picture: the name, the canvas, and the count. */
export function StripRow({ name, words, className, children }: StripRowProps): ReactNode {
  return (
    <li className="strip-row">
      <p>
        <b>{name}</b> <span className="note">{words}</span>
      </p>
      <canvas className={className} aria-hidden="true" />
      <p className="strip-count">{children}</p>
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
