import type { ReactNode } from 'react'
import { useDebounce } from 'lull'
import type { Tally } from './limits-model.ts'

/** Says what each limit admitted once no request has come for a while, for who does not see it. */
export function LimitsSummary({ tally }: { tally: Tally }): ReactNode {
  const { sent, rows } = useDebounce(tally, 1000)
  return (
    <p className="visually-hidden" role="status" data-testid="limits-summary">
      {sent > 0 &&
        `Admitted of ${sent} requests: ${rows.map(({ name, admitted }) => `${name} ${admitted}`).join(', ')}.`}
    </p>
  )
}
