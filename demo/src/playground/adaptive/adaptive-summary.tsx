import type { ReactNode } from 'react'
import { useDebounce } from 'lull'

interface AdaptiveSummaryProps {
  tally: Readonly<Record<'served' | 'refused' | 'held', number>>
  /** The used share of the limit, formatted. */
  used: string
}

/** Announces the result to screen readers, debounced by 1 s. */
export function AdaptiveSummary({ tally, used }: AdaptiveSummaryProps): ReactNode {
  const { served, refused, held } = useDebounce(tally, 1000)
  return (
    <p className="visually-hidden" role="status">
      {served + refused > 0 &&
        `Served ${served}, refused ${refused}, not sent ${held}: ${used} of the limit.`}
    </p>
  )
}
