import type { ReactNode } from 'react'
import { useDebounce } from 'lull'
import type { BatchTally } from './batch-recording.ts'

export const savedWords = (items: number, calls: number): string =>
  `${items} ${items === 1 ? 'item' : 'items'} → ${calls} ${calls === 1 ? 'call' : 'calls'}`

/** Announces to screen readers how many calls the batches needed, debounced by 1 s. */
export function BatchSummary({ tally }: { tally: BatchTally }): ReactNode {
  const { items, calls, returned } = useDebounce(tally, 1000)
  return (
    <p className="visually-hidden" role="status" data-testid="batch-summary">
      {items > 0 && `${savedWords(items, calls)}, ${returned} returned.`}
    </p>
  )
}
