import type { ReactNode } from 'react'

interface EventBarProps {
  name: string
  id: string
  value: number
  /** What a full bar stands for. */
  most: number
}

export function EventBar({ name, id, value, most }: EventBarProps): ReactNode {
  return (
    <div className="event-bar">
      <dt>{name}</dt>
      <dd data-testid={id}>{value}</dd>
      <dd aria-hidden="true" className="track">
        <span style={{ transform: `scaleX(${most > 0 ? value / most : 0})` }} />
      </dd>
    </div>
  )
}
