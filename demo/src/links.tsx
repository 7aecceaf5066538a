import type { ReactNode } from 'react'

/** Where the package is; a place that package.json does not name is left out. */
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
