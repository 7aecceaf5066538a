import type { ReactNode } from 'react'

const marks = [
  ['sent', 'in flight'],
  ['ok', '200'],
  ['refused', '429, refused'],
  ['error', 'error'],
  ['aborted', '× aborted'],
  ['waiting', 'waiting'],
  ['closed', 'paused'],
  ['probe', 'probe request'],
] as const

/** The colours of the requests and of the gate. The other lanes have labels. */
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
