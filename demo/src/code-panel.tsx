import type { ReactNode } from 'react'
import { CodeCard } from './code-card.tsx'
import source from './use-typed-search.ts?raw'

// The hooks of the library, which are what there is to see.
const hooks = ['useDebouncedCallback', 'useThrottledCallback', 'useRateLimitedFetch', 'useIsPending']

/** The source of what drives the search box, as it runs. */
export function CodePanel(): ReactNode {
  return (
    <div className="card code-panel">
      <CodeCard title="What drives the search box" source={source} names={hooks}>
        <p className="note">
          As it runs here. The fetch is that of the <code>RateLimitProvider</code> around the page.
        </p>
      </CodeCard>
    </div>
  )
}
