import type { ReactNode } from 'react'
import type { Pause } from '../status/pauses.ts'
import { waitWords } from '../status/wait-words.ts'

const timeOfDay = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hour12: false })

/** The duration of each pause and its source, newest first. */
export function PauseList({ pauses }: { pauses: readonly Pause[] }): ReactNode {
  if (pauses.length === 0) return <p className="note">No pause yet</p>
  return (
    <ol className="pauses" data-testid="pauses">
      {pauses.map(({ at, ms, source }) => (
        <li key={at}>
          <span>{timeOfDay.format(performance.timeOrigin + at)}</span>
          <b>{(ms / 1000).toFixed(1)} s</b>
          <span>{waitWords[source].by}</span>
        </li>
      ))}
    </ol>
  )
}
