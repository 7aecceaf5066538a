import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { useRateLimitStatus } from 'lull'
import { systemClock } from 'lull/core'
import type { ClientSettings } from '../settings/schema.ts'
import type { EventLog } from '../status/event-log.ts'
import { PauseBar } from '../status/pause-bar.tsx'
import { ResultArea } from './result-area.tsx'
import { SearchActions } from './search-actions.tsx'
import { SearchBox } from './search-box.tsx'
import { useAnswer } from './use-answer.ts'
import { useAutopilot } from '../typing/use-autopilot.ts'
import type { Server } from '../server/use-server.ts'
import { useTypedSearch } from './use-typed-search.ts'

interface SearchPanelProps {
  client: string
  settings: ClientSettings
  log: EventLog
  /** How many there are to be found. */
  cities: number | undefined
  server: Server
}

export function SearchPanel({ client, settings, log, cities, server }: SearchPanelProps): ReactNode {
  const [text, setText] = useState('')
  const { answer, failure, show } = useAnswer(client)
  const search = useTypedSearch(settings, {
    show: (text, fetch, signal) => void show(text, fetch, signal),
    note: (run) => log.add({ type: 'run', run, at: systemClock.now() }),
  })

  function type(next: string): void {
    setText(next)
    search.type(next)
    // An empty box waits for nothing.
    if (next === '') search.ask('')
  }

  const autopilot = useAutopilot({ type, refuse: server.refuse })

  function start(): void {
    setText('')
    search.ask('')
    log.clear()
    autopilot.start()
  }

  return (
    <section className="card search">
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
        answer={answer}
        failure={failure}
        cities={cities}
        isHeld={search.isHeld}
        onRetry={() => search.ask(text)}
      />
    </section>
  )
}

/** The pause below the input, which stays in view above the keyboard of a phone. */
function SearchPause({ log }: { log: EventLog }): ReactNode {
  const { until } = useRateLimitStatus().gate
  const {
    pauses: [pause],
  } = useSyncExternalStore(log.subscribe, log.totals)
  return <PauseBar from={pause?.at} until={until} />
}
