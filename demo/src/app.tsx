import { useState, type ReactNode } from 'react'
import { RateLimitProvider } from 'lull'
import { priorities } from 'lull/fetch'
import { shareBetweenTabs } from 'lull/tabs'
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
import { useAbout } from './use-about.ts'
import { useServer } from './use-server.ts'

/** A search goes before the calls that only fill the queue. */
const policies = [priorities(), shareBetweenTabs()]

/** @param props.client what the server tells this page from others by. */
export function App({ client }: { client: string }): ReactNode {
  const [log] = useState(createEventLog)
  const [settings] = useSettings('page')
  const server = useServer(client)
  const about = useAbout()
  const { ratePerSecond, burst } = settings

  return (
    <RateLimitProvider options={{ onEvent: log.add, ratePerSecond, burst, policies }}>
      <a className="skip" href="#race">
        Skip to the content
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
