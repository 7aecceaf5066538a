import type { ReactNode } from 'react'
import { VOLLEY } from './use-volley.ts'

/** What there is to do here, in the place of the results. */
export function Hints(): ReactNode {
  return (
    <ol className="hints">
      <li>Type a city: each pause makes one request.</li>
      <li>Press Refuse and type on: nothing is sent until the time that the server names.</li>
      <li>Send {VOLLEY} calls, and see the pace being found.</li>
      <li>Or let the autopilot type.</li>
    </ol>
  )
}
