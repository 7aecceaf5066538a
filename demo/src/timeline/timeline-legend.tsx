import type { ReactNode } from 'react'

const marks = [
  ['asking', 'in flight'],
  ['ok', '200'],
  ['refused', '429, refused'],
  ['error', 'error'],
  ['aborted', '× aborted'],
  ['waiting', 'waits'],
  ['closed', 'paused'],
  ['probe', 'probe request'],
] as const

/** What the colours of the requests and of the gate mean; the lanes of the others have names. */
export function TimelineLegend(): ReactNode {
  return (
    <ul className="legend" aria-hidden="true">
      {marks.map(([name, words]) => (
        <li key={name} className={`marked ${name}`}>
          {words}
        </li>
      ))}
    </ul>
  )
}
