import type { ReactNode } from 'react'

/** Links to the package's docs and source, if package.json has them. */
export function Links(): ReactNode {
  const { install, docs, source } = __LINKS__
  return (
    <nav className="links" aria-label="Links">
      <code>{install}</code>
      <a href="#race">Race</a>
      {docs && <a href={docs}>Docs</a>}
      {source && <a href={source}>GitHub</a>}
    </nav>
  )
}
