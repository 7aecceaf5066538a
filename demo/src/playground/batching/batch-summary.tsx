import type { ReactNode } from 'react'
import { useDebounce } from 'lull'
import type { BatchTally } from './batch-recording.ts'

export const savedWords = (items: number, calls: number): string =>
  `${items} ${items === 1 ? 'item' : 'items'} → ${calls} ${calls === 1 ? 'call' : 'calls'}`

/** Says what the batches saved once nothing has come for a while, for who does not see it. */
export function BatchSummary({ tally }: { tally: BatchTally }): ReactNode {
  const { items, calls, answered } = useDebounce(tally, 1000)
  return (
    <p className="visually-hidden" role="status" data-testid="batch-summary">
      {items > 0 && `${savedWords(items, calls)}, ${answered} returned.`}
    </p>
  )
}
