import { useEffect, useState, type ReactNode } from 'react'
import { RateLimitProvider } from 'lull'
import { Attribution } from './attribution.tsx'
import { ClientControls } from './client-controls.tsx'
import { CodePanel } from './code-panel.tsx'
import { createEventLog } from './event-log.ts'
import { KnownPanel } from './known-panel.tsx'
import { Links } from './links.tsx'
import { RacePanel } from './race/race-panel.tsx'
import { SearchPanel } from './search-panel.tsx'
import { ServerControls } from './server-controls.tsx'
import { LinkButton } from './settings/link-button.tsx'
import { useSettings } from './settings/settings-provider.tsx'
import { StatusPanel } from './status-panel.tsx'
import { Playground } from './playground.tsx'
import { TimelinePanel } from './timeline/timeline-panel.tsx'
import { showLinkedPart } from './show-linked-part.ts'
import { useAbout } from './use-about.ts'
import { useSwitchedFetch } from './use-switched-fetch.ts'
import { useServer } from './use-server.ts'

/** @param props.client what the server tells this page from others by. */
export function App({ client }: { client: string }): ReactNode {
  const [log] = useState(createEventLog)
  const [settings] = useSettings('page')
  const server = useServer(client)
  const about = useAbout()
  const limited = useSwitchedFetch(log)

  useEffect(showLinkedPart, [])

  return (
    <RateLimitProvider fetch={limited}>
      <a className="skip" href="#race">
        Skip to the race
      </a>
      <header className="masthead">
        <h1>lull</h1>
        <p>Debounce, throttle, and a fetch that waits when the server says so.</p>
        <Links />
        <LinkButton />
        <a href={location.href} target="_blank" rel="noopener">
          Open another tab
        </a>
      </header>
      <main>
        <RacePanel client={client} />
        <h2 className="part-title" id="try">
          Try it yourself
        </h2>
        <div className="stage">
          <SearchPanel client={client} settings={settings} log={log} cities={about?.cities} server={server} />
          <StatusPanel log={log} settings={settings} />
          <TimelinePanel log={log} />
          <KnownPanel log={log} />
        </div>
        <div className="bench">
          <ClientControls />
          <ServerControls server={server} />
          <CodePanel />
        </div>
        <Playground />
      </main>
      <Attribution about={about} />
    </RateLimitProvider>
  )
}
