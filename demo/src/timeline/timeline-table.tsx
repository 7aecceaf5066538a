import { useSyncExternalStore, type ReactNode } from 'react'
import type { EventLog } from '../status/event-log.ts'
import type { Counts } from '../status/totals.ts'

const rows: readonly (readonly [name: keyof Counts, words: string])[] = [
  ['keystroke', 'Keystrokes'],
  ['debounced', 'Debounced runs'],
  ['throttled', 'Throttled runs'],
  ['requests', 'Requests'],
  ['answered', 'Requests that succeeded'],
  ['refused', 'Requests refused with 429'],
  ['failed', 'Requests failed'],
  ['aborted', 'Requests aborted'],
  ['closings', 'Pauses'],
]

/** The counts of the timeline, for screen readers. */
export function TimelineTable({ log }: { log: EventLog }): ReactNode {
  const totals = useSyncExternalStore(log.subscribe, log.totals)
  return (
    // Not with a caption: Firefox would show it.
    <table className="visually-hidden" aria-label="What has happened so far">
      <tbody>
        {rows.map(([name, words]) => (
          <tr key={name}>
            <th scope="row">{words}</th>
            <td>{totals[name]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
