import type { ReactNode } from 'react'
import { useCountdown } from 'lull'

interface PauseBarProps {
  /** Instants of the clock; undefined without a pause. */
  from: number | undefined
  until: number | undefined
  isOver?: boolean
}

/** Shows a pause of the server, with a bar for the remaining time. Has the same height without a pause. */
export function PauseBar({ from = 0, until, isOver = false }: PauseBarProps): ReactNode {
  const seconds = useCountdown(until)
  const isShown = seconds > 0 && !isOver
  return (
    <div className="pause-bar" data-testid="pause-bar" aria-hidden="true">
      {isShown && (
        <>
          <span>Server said wait · {seconds} s</span>
          <span className="pause-track">
            <span key={until} style={{ animationDuration: `${until! - from}ms` }} />
          </span>
        </>
      )}
    </div>
  )
}
