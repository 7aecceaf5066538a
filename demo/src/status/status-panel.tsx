import type { ReactNode } from 'react'
import type { ClientSettings } from '../settings/schema.ts'
import { Counters } from './counters.tsx'
import type { EventLog } from './event-log.ts'
import { FetchFacts } from './fetch-facts.tsx'
import { GateMessage } from './gate-message.tsx'

interface StatusPanelProps {
  log: EventLog
  settings: ClientSettings
}

export function StatusPanel({ log, settings }: StatusPanelProps): ReactNode {
  return (
    <section className="card status" aria-label="What is sent">
      <Counters log={log} driver={settings.driver} />
      <GateMessage log={log} />
      <FetchFacts log={log} settings={settings} />
    </section>
  )
}
