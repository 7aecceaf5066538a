import { useId, type ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { SourceCode } from './source-code.tsx'
import { RealTime } from './time/real-time.tsx'

interface CodeCardProps {
  title: string
  /** The text of a module, as it runs here. */
  source: string
  /** The names that are set off: what the library gives. */
  names: readonly string[]
  /** A note. */
  children?: ReactNode
}

/** A part of the page's own source: from its first exported function on. */
export function CodeCard({ title, source, names, children }: CodeCardProps): ReactNode {
  const id = useId()
  const code = source.slice(source.indexOf('export function')).trim()
  return (
    <div className="code">
      <div className="code-head">
        <h2 id={id}>{title}</h2>
        <RealTime>
          <CopyButton
            label="Copy"
            description={`Copy the code: ${title}`}
            read={() => code}
            onFailure="Cannot copy"
          />
        </RealTime>
      </div>
      {children}
      <SourceCode code={code} names={new RegExp(`\\b(${names.join('|')})(?=[(<])`)} labelledBy={id} />
    </div>
  )
}
