import type { ReactNode } from 'react'
import { useDebounce } from 'lull'
import type { Tally } from './limits-model.ts'

/** Announces the admitted requests of each limit to screen readers, debounced by 1 s. */
export function LimitsSummary({ tally }: { tally: Tally }): ReactNode {
  const { sent, rows } = useDebounce(tally, 1000)
  return (
    <p className="visually-hidden" role="status" data-testid="limits-summary">
      {sent > 0 &&
        `Allowed of ${sent} requests: ${rows.map(({ name, admitted }) => `${name} ${admitted}`).join(', ')}.`}
    </p>
  )
}
