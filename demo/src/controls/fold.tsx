import { useState, type ReactNode } from 'react'

interface FoldProps {
  id: string
  title: string
  isWide?: boolean
  children: ReactNode
}

/** A collapsible panel, initially closed on narrow screens. */
export function Fold({ id, title, isWide = false, children }: FoldProps): ReactNode {
  const [isOpen] = useState(() => matchMedia('(width >= 45em)').matches)
  return (
    <details id={id} className={isWide ? 'fold is-wide' : 'fold'} open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}
