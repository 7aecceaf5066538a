import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { CopyButton } from '../controls/copy-button.tsx'
import { LaneView } from './lane-view.tsx'
import { createRace, type RaceState } from './race.ts'
import { cardPicture, cardText } from './result-card.ts'
import { rivals, runnerNames, type Rival } from './runners.ts'

const parameters = new URLSearchParams(location.search)
const firstSeed = Number(parameters.get('seed') ?? 1)

const mayPlay = () =>
  parameters.get('autoplay') !== '0' && !matchMedia('(prefers-reduced-motion: reduce)').matches

/** The same keystrokes in two lanes: what a visitor sees first. Plays by itself once. */
export function RacePanel({ client }: { client: string }): ReactNode {
  const [race] = useState(() => createRace(client))
  const [seed, setSeed] = useState(firstSeed)
  const state = useSyncExternalStore(race.subscribe, race.state)
  const isRunning = state.status === 'running'

  useEffect(() => {
    if (!mayPlay()) return () => race[Symbol.dispose]()
    const life = new AbortController()
    const stop = (event: Event) => {
      life.abort()
      // The button stops it itself.
      if (!(event.target instanceof Element && event.target.closest('.race-play'))) race.stop()
    }
    addEventListener('keydown', stop, life)
    addEventListener('click', stop, life)
    race.start('retry', firstSeed)
    return () => {
      life.abort()
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
        The same keys in both lanes, and the same server with the same limit for each. 429 means: too many
        requests, wait.
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
        <CopyButton
          label="Copy result"
          description="Copy result as text"
          read={() => cardText(state)}
          onFailure="Cannot copy"
        />
        <CopyButton
          label="Copy picture"
          description="Copy picture of the result"
          read={() => cardPicture(state)}
          onFailure="Cannot copy"
        />
      </div>
      <div className="race-lanes">
        {state.lanes.map((lane, index) => (
          <LaneView key={index} lane={lane} startedAt={state.startedAt} />
        ))}
      </div>
      <p className="race-end" role="status" data-testid="race-end">
        {endWords(state)}
      </p>
    </section>
  )
}

function endWords({ status, rival, lanes }: RaceState): string {
  if (status === 'unreachable') return 'The server cannot be reached. Start it, then play again.'
  if (status === 'stopped') return 'Stopped. Play again, or try it yourself below.'
  if (status !== 'done') return ''
  const [other, lull] = lanes.map(
    ({ requests }) => requests.filter(({ outcome }) => outcome === 'refused').length,
  )
  return `${runnerNames[rival]} was refused ${times(other!)}, lull ${times(lull!)}. Now try it yourself below.`
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
