import type { ReactNode } from 'react'
import type { ListedItem } from './batch-recording.ts'
import { LISTED } from './batch-trial.ts'

/** The last items, and by which call the promise of each was resolved. There is room for all from the start. */
export function BatchItems({ listed }: { listed: readonly ListedItem[] }): ReactNode {
  return (
    <ol className="batch-items" aria-label="The last items and their answers">
      {Array.from({ length: LISTED }, (_, index) => (
        <BatchItem key={index} listed={listed[index]} />
      ))}
    </ol>
  )
}

function BatchItem({ listed }: { listed: ListedItem | undefined }): ReactNode {
  if (!listed) return <li aria-hidden="true" />
  const { item, call } = listed
  return (
    <li className={call === undefined ? undefined : 'is-answered'}>
      <b>{item}</b> {call === undefined ? 'waits' : `call ${call}`}
    </li>
  )
}
