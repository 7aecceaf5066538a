import type { ReactNode } from 'react'
import { useCountdown } from 'lull'
import type { Server } from './use-server.ts'

interface SearchActionsProps {
  isFlying: boolean
  /** Starts the autopilot, or stops it if it is on. */
  onAutopilot: () => void
  server: Server
}

/** What happens at the press of a button; a button is lit while it does. */
export function SearchActions({ isFlying, onAutopilot, server }: SearchActionsProps): ReactNode {
  const refusesFor = useCountdown(server.refusesUntil)
  return (
    <div className="search-actions">
      <button type="button" className={isFlying ? 'button is-on' : 'button'} onClick={onAutopilot}>
        {isFlying ? 'Stop' : 'Autopilot'}
      </button>
      <button type="button" className={refusesFor > 0 ? 'button is-on' : 'button'} onClick={server.refuse}>
        Refuse for 3 s
      </button>
    </div>
  )
}
