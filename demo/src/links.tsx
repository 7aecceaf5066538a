import type { ReactNode } from 'react'
import { RaceLink } from './race/race-link.tsx'

/** Links to the package's docs and source, if package.json has them. */
export function Links(): ReactNode {
  const { install, docs, source } = __LINKS__
  return (
    <nav className="links" aria-label="Links">
      <code>{install}</code>
      <RaceLink>Race</RaceLink>
      {docs && <a href={docs}>Docs</a>}
      {source && <a href={source}>GitHub</a>}
    </nav>
  )
}
