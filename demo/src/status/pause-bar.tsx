import type { ReactNode } from 'react'
import { useSecondsLeft } from './use-seconds-left.ts'

interface PauseBarProps {
  /** Why nothing is sent. */
  words: string
  /** Instants of the clock; undefined without a pause. */
  from: number | undefined
  until: number | undefined
  isOver?: boolean
}

/** Shows a pause of the server, with a bar for the remaining time. Has the same height without a pause. */
export function PauseBar({ words, from = 0, until, isOver = false }: PauseBarProps): ReactNode {
  const seconds = useSecondsLeft(until)
  const isShown = seconds > 0 && !isOver
  return (
    <div className="pause-bar" data-testid="pause-bar" aria-hidden="true">
      {isShown && (
        <>
          <span>
            {words} · {seconds} s
          </span>
          <span className="pause-track">
            <span key={until} style={{ animationDuration: `${until! - from}ms` }} />
          </span>
        </>
      )}
    </div>
  )
}
