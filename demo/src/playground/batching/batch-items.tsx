import type { ReactNode } from 'react'
import type { ListedItem } from './batch-recording.ts'
import { LISTED } from './batch-trial.ts'

/** The last items, each with the call that resolved its promise. Empty rows keep the height constant. */
export function BatchItems({ listed }: { listed: readonly ListedItem[] }): ReactNode {
  return (
    <ol className="batch-items" aria-label="The last items and their results">
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
    <li className={call === undefined ? undefined : 'is-returned'}>
      <b>{item}</b> {call === undefined ? 'waiting' : `call ${call}`}
    </li>
  )
}
