import type { ReactNode } from 'react'

interface StripRowProps {
  name: string
  /** What it is, in a few words. */
  words: string
  /** Of the canvas. */
  className?: string
  /** What stands at its right. */
  children?: ReactNode
}

/** A row of a picture: what it shows, the canvas, and how much that comes to. */
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

/** The last row, of the time along. */
export function AxisRow(): ReactNode {
  return (
    <li className="strip-row" aria-hidden="true">
      <canvas className="strip-axis" />
    </li>
  )
}
