import type { ReactNode } from 'react'
import { VOLLEY } from './use-volley.ts'

/** What there is to do here, in the place of the results. */
export function Hints(): ReactNode {
  return (
    <ol className="hints">
      <li>Type a city: each pause makes one request.</li>
      <li>Press Refuse and type on: nothing is sent until the server’s pause is over.</li>
      <li>Send {VOLLEY} calls, and see the server’s limit being learned.</li>
      <li>Or let the autopilot type.</li>
    </ol>
  )
}
