import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { RateLimitProvider } from 'lull'
import { Attribution } from './attribution.tsx'
import { ClientControls } from './client/client-controls.tsx'
import { CodePanel } from './code/code-panel.tsx'
import { createEventLog } from './status/event-log.ts'
import { KnownPanel } from './known/known-panel.tsx'
import { Links } from './links.tsx'
import { RaceLink } from './race/race-link.tsx'
import { RacePanel } from './race/race-panel.tsx'
import { SearchPanel } from './search/search-panel.tsx'
import { ServerControls } from './server/server-controls.tsx'
import { LinkButton } from './settings/link-button.tsx'
import { useSettings, useSettingsStore } from './settings/settings-provider.tsx'
import { StatusPanel } from './status/status-panel.tsx'
import { Playground } from './playground/playground.tsx'
import { TimelinePanel } from './timeline/timeline-panel.tsx'
import { useAbout } from './server/use-about.ts'
import { useSwitchedFetch } from './client/use-switched-fetch.ts'
import { useServer } from './server/use-server.ts'

/** @param props.client the client ID sent to the server. */
export function App({ client }: { client: string }): ReactNode {
  const [log] = useState(createEventLog)
  const [settings] = useSettings('page')
  const store = useSettingsStore()
  const link = useSyncExternalStore(store.subscribe, () => store.link())
  const server = useServer(client, log)
  const about = useAbout()
  const limited = useSwitchedFetch(log)

  useEffect(showLinkedPart, [])

  return (
    <RateLimitProvider fetch={limited}>
      <RaceLink className="skip">Skip to the race</RaceLink>
      <header className="masthead">
        <h1>lull</h1>
        <p>Debounce, throttle, and a fetch that waits when the server says so.</p>
        <Links />
        <LinkButton />
        <a className="new-tab" href={link} target="_blank" rel="noopener">
          Open a second tab: it shares pauses
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

/** Scrolls to the section named first in the URL hash, and opens it. */
function showLinkedPart(): void {
  const [id = ''] = location.hash.slice(1).split('&')
  const part = id && !id.includes('=') ? document.getElementById(id) : null
  if (part instanceof HTMLDetailsElement) part.open = true
  part?.scrollIntoView()
}
