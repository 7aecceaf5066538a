import type { ReactNode } from 'react'
import { useCountdown } from 'lull'
import type { Server } from '../server/use-server.ts'
import { useVolley, VOLLEY } from '../typing/use-volley.ts'

interface SearchActionsProps {
  client: string
  isFlying: boolean
  /** Toggles the autopilot. */
  onAutopilot: () => void
  server: Server
}

/** The buttons below the search box; each is highlighted while its action runs. */
export function SearchActions({ client, isFlying, onAutopilot, server }: SearchActionsProps): ReactNode {
  const refusesFor = useCountdown(server.refusesUntil)
  const { isSending, send, stop } = useVolley(client)
  return (
    <div className="button-grid search-actions">
      <button type="button" className={isFlying ? 'button is-on' : 'button'} onClick={onAutopilot}>
        {isFlying ? 'Stop' : 'Autopilot'}
      </button>
      <button type="button" className={refusesFor > 0 ? 'button is-on' : 'button'} onClick={server.refuse}>
        Refuse for&nbsp;3&nbsp;s
      </button>
      <button
        type="button"
        className={isSending ? 'button is-on' : 'button'}
        onClick={isSending ? stop : send}
      >
        {isSending ? 'Stop sending' : `Send ${VOLLEY} calls`}
      </button>
    </div>
  )
}
