import type { ReactNode } from 'react'
import { useDebounce } from 'lull'

interface AdaptiveSummaryProps {
  tally: Readonly<Record<'served' | 'refused', number>>
  /** The share of the limit, in words. */
  used: string
}

/** Says how it went once it rests, for who does not see it. */
export function AdaptiveSummary({ tally, used }: AdaptiveSummaryProps): ReactNode {
  const { served, refused } = useDebounce(tally, 1000)
  return (
    <p className="visually-hidden" role="status">
      {served + refused > 0 && `Served ${served}, refused ${refused}: ${used} of the limit.`}
    </p>
  )
}
