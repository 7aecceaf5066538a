import type { ReactNode } from 'react'
import { PanelCode } from './panel-code.tsx'
import { PolicySwitches } from '../client/policy-switches.tsx'

/** The policy switches of the search box's fetch, and its code. */
export function CodePanel(): ReactNode {
  return (
    <section className="card code-panel" aria-labelledby="policies-title">
      <h2 id="policies-title">Policies: switch them, and see what each adds in bytes</h2>
      <PolicySwitches />
      <PanelCode panel="search" title="Code of the search box" />
    </section>
  )
}
