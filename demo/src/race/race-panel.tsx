import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { CopyButton } from '../controls/copy-button.tsx'
import { LaneView } from './lane-view.tsx'
import { countsOf } from './race-lane.ts'
import { createRace, type RaceState } from './race.ts'
import { cardPicture, cardText } from './result-card.ts'
import { rivals, runnerNames, type Rival } from './runners.ts'

const parameters = new URLSearchParams(location.search)
const firstSeed = Number(parameters.get('seed') ?? 1)

const mayPlay = () =>
  parameters.get('autoplay') !== '0' && !matchMedia('(prefers-reduced-motion: reduce)').matches

/** The same keystrokes in two lanes, at the top of the page. Plays once automatically. */
export function RacePanel({ client }: { client: string }): ReactNode {
  const [race] = useState(() => createRace(client))
  const [seed, setSeed] = useState(firstSeed)
  const state = useSyncExternalStore(race.subscribe, race.state)
  const isRunning = state.status === 'running'

  useEffect(() => {
    if (!mayPlay()) return () => race[Symbol.dispose]()
    const controller = new AbortController()
    const stop = (event: Event) => {
      controller.abort()
      // The play button has its own handler.
      if (!(event.target instanceof Element && event.target.closest('.race-play'))) race.stop()
    }
    addEventListener('keydown', stop, controller)
    addEventListener('click', stop, controller)
    race.start('retry', firstSeed)
    return () => {
      controller.abort()
      race[Symbol.dispose]()
    }
  }, [race])

  function play(rival: Rival): void {
    race.start(rival, seed)
    setSeed(seed + 1)
  }

  return (
    <section className="card race" id="race" aria-labelledby="race-title">
      <h2 id="race-title">Type fast. 13 keystrokes, 1 request. Then the server says 429.</h2>
      <p className="race-words">
        The same keys, server and limit. 429 means: too many requests, wait. Left: a usual retry loop. Right:
        lull, which waits as long as the server says.
      </p>
      <div className="race-bar">
        <button
          type="button"
          className="button race-play"
          onClick={() => (isRunning ? race.stop() : play(state.rival))}
        >
          {isRunning ? 'Stop' : state.status === 'ready' ? 'Play' : 'Play again'}
        </button>
        <fieldset className="choice">
          <legend className="visually-hidden">Race lull against</legend>
          {rivals.map((rival) => (
            <label key={rival}>
              <input type="radio" name="rival" checked={rival === state.rival} onChange={() => play(rival)} />
              <span>{runnerNames[rival]}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div className="race-lanes">
        {state.lanes.map((lane, index) => (
          <LaneView key={index} lane={lane} startedAt={state.startedAt} />
        ))}
      </div>
      <p className="note race-legend">
        Bars above: keys. Below, in green: answered requests; ×: refused. Shaded: the pause that the server
        asked for.
      </p>
      <div className="race-end">
        <p role="status" data-testid="race-end">
          {endWords(state)}
        </p>
        <CopyButton
          label="Copy result"
          description="Copy result as text"
          read={() => cardText(state)}
          onFailure="Cannot copy"
          isDisabled={state.status !== 'done'}
        />
        <CopyButton
          label="Copy picture"
          description="Copy picture of the result"
          read={() => cardPicture(state)}
          onFailure="Cannot copy"
          isDisabled={state.status !== 'done'}
        />
      </div>
    </section>
  )
}

function endWords({ status, rival, lanes }: RaceState): string {
  if (status === 'unreachable') return 'The server cannot be reached. Start it, then play again.'
  if (status === 'stopped') return 'Stopped by your key or click. Play again, or try it yourself below.'
  if (status !== 'done') return ''
  const [other, lull] = lanes.map(countsOf)
  return `${runnerNames[rival]} sent ${other!.requests} requests, ${other!.refused} were refused. lull waited as long as the server said: ${lull!.requests} requests, ${lull!.refused} refused. Now try it yourself below.`
}
