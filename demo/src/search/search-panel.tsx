import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { useRateLimitStatus } from 'lull'
import { systemClock } from 'lull/core'
import type { ClientSettings } from '../settings/schema.ts'
import type { EventLog } from '../status/event-log.ts'
import { PauseBar } from '../status/pause-bar.tsx'
import { pauseWords } from '../status/wait-words.ts'
import { ResultArea } from './result-area.tsx'
import { SearchActions } from './search-actions.tsx'
import { SearchBox } from './search-box.tsx'
import { useSearchResponse } from './use-search-response.ts'
import { useAutopilot } from '../typing/use-autopilot.ts'
import type { Server } from '../server/use-server.ts'
import { useTypedSearch } from './use-typed-search.ts'

interface SearchPanelProps {
  client: string
  settings: ClientSettings
  log: EventLog
  /** The total number of searchable cities. */
  cities: number | undefined
  server: Server
}

export function SearchPanel({ client, settings, log, cities, server }: SearchPanelProps): ReactNode {
  const [text, setText] = useState('')
  const { response, failure, show } = useSearchResponse(client)
  const search = useTypedSearch(settings, {
    show: (text, fetch, signal) => void show(text, fetch, signal),
    record: (run) => log.add({ type: 'run', run, at: systemClock.now() }),
  })

  function type(next: string): void {
    setText(next)
    search.type(next)
    // Clear the results at once.
    if (next === '') search.send('')
  }

  const autopilot = useAutopilot({ type, refuse: server.refuse })

  function start(): void {
    setText('')
    search.send('')
    log.clear()
    autopilot.start()
  }

  return (
    <section className="card search" id="search">
      <SearchBox
        text={text}
        onType={(next) => {
          autopilot.stop()
          type(next)
        }}
      />
      <SearchPause log={log} />
      <SearchActions
        client={client}
        isFlying={autopilot.isOn}
        onAutopilot={autopilot.isOn ? autopilot.stop : start}
        server={server}
      />
      <ResultArea
        text={text}
        response={response}
        failure={failure}
        cities={cities}
        isHeld={search.isHeld}
        isOff={settings.driver === 'debounced' && !settings.leading && !settings.trailing}
        onRetry={() => search.send(text)}
      />
    </section>
  )
}

/** The pause bar, directly below the input so that a phone's keyboard does not cover it. */
function SearchPause({ log }: { log: EventLog }): ReactNode {
  const { until } = useRateLimitStatus().gate
  const {
    pauses: [pause],
  } = useSyncExternalStore(log.subscribe, log.totals)
  return <PauseBar words={pause ? pauseWords(pause) : ''} from={pause?.at} until={until} />
}
