import { useId, type ReactNode } from 'react'
import { headerStyles, type HeaderStyle } from '../../server/api.ts'

const labels: Record<HeaderStyle, string> = {
  both: 'Retry-After and RateLimit',
  'retry-after': 'Retry-After in seconds',
  date: 'Retry-After as a date',
  ratelimit: 'RateLimit only',
  'x-ratelimit': 'X-RateLimit, the older headers',
  none: 'none',
}

interface HeaderChoiceProps {
  headers: HeaderStyle
  onChange: (headers: HeaderStyle) => void
}

export function HeaderChoice({ headers, onChange }: HeaderChoiceProps): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>How the server names its limit</label>
      <select id={id} value={headers} onChange={(event) => onChange(event.target.value as HeaderStyle)}>
        {headerStyles.map((style) => (
          <option key={style} value={style}>
            {labels[style]}
          </option>
        ))}
      </select>
    </div>
  )
}
