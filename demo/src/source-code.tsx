import type { ReactNode } from 'react'

interface SourceCodeProps {
  code: string
  /** What is set off. One group, around all of it. */
  names: RegExp
  labelledBy: string
}

export function SourceCode({ code, names, labelledBy }: SourceCodeProps): ReactNode {
  const parts = code.split(names)
  return (
    <pre tabIndex={0} role="region" aria-labelledby={labelledBy}>
      <code>{parts.map((part, index) => (index % 2 ? <strong key={index}>{part}</strong> : part))}</code>
    </pre>
  )
}
