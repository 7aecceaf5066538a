import type { ReactNode } from 'react'
import { SourceCode } from './source-code.tsx'
import source from './use-typed-search.ts?raw'

const code = source.slice(source.indexOf('export function')).trim()
// The hooks of the library, which are what there is to see.
const hooks = /\b(useDebouncedCallback|useThrottledCallback|useRateLimitedFetch|useIsPending)\b/

/** The source of what drives the search box, as it runs. */
export function CodePanel(): ReactNode {
  return (
    <section className="card code" aria-labelledby="code-title">
      <h2 id="code-title">What drives it</h2>
      <p className="note">
        The source, as it runs here. The fetch is that of the <code>RateLimitProvider</code> around the page.
      </p>
      <SourceCode code={code} names={hooks} labelledBy="code-title" />
    </section>
  )
}
