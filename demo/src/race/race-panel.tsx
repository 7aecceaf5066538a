import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { CopyButton } from '../controls/copy-button.tsx'
import { LaneView } from './lane-view.tsx'
import { countsOf } from './race-lane.ts'
import { createRace, type RaceState } from './race.ts'
import { KEYSTROKES } from './race-stream.ts'
import { cardPicture, cardText } from './result-card.ts'
import { rivals, rivalWords, runnerNames, type Rival } from './runners.ts'

const parameters = new URLSearchParams(location.search)
const firstSeed = Number(parameters.get('seed') ?? 1)

const marks = [
  ['keystroke', 'keystroke'],
  ['sent', 'request in flight'],
  ['ok', 'succeeded'],
  ['refused', '× refused'],
  ['aborted', 'cancelled'],
  ['error', 'failed'],
  ['pause', 'pause that the server asked for'],
] as const

const mayPlay = () =>
  parameters.get('autoplay') !== '0' && !matchMedia('(prefers-reduced-motion: reduce)').matches

/** The same keystrokes in two lanes, at the top of the page. Plays once automatically. */
export function RacePanel({ client }: { client: string }): ReactNode {
  const [race] = useState(() => createRace(client))
  const [seed, setSeed] = useState(firstSeed)
  const state = useSyncExternalStore(race.subscribe, race.state)
  const isRunning = state.status === 'running'

  const opening = useRef<AbortController>(undefined)

  useEffect(() => {
    if (!mayPlay()) return () => race[Symbol.dispose]()
    const controller = (opening.current = new AbortController())
    const start = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', start)
      race.start('retry', firstSeed)
    }
    const stop = ({ target }: Event) => {
      if (!(target as Element).matches('input:not(.race *), select, textarea')) return
      controller.abort()
      race.stop()
    }
    document.addEventListener('visibilitychange', start, controller)
    addEventListener('focusin', stop, controller)
    addEventListener('input', stop, controller)
    start()
    return () => {
      controller.abort()
      race[Symbol.dispose]()
    }
  }, [race])

  function play(): void {
    opening.current?.abort()
    race.start(state.rival, seed)
    setSeed(seed + 1)
  }

  function choose(rival: Rival): void {
    opening.current?.abort()
    race.choose(rival)
  }

  return (
    <section className="card race" id="race" tabIndex={-1} aria-labelledby="race-title">
      <h2 id="race-title">Type fast: {KEYSTROKES} keystrokes. The server says 429, and lull waits.</h2>
      <p className="race-words">
        Same keystrokes, same limit. 429 means: too many requests. Left: {rivalWords[state.rival]}. Right:
        lull, which pauses all requests.
      </p>
      <div className="race-bar">
        <button type="button" className="button race-play" onClick={() => (isRunning ? race.stop() : play())}>
          {isRunning ? 'Stop' : state.status === 'ready' ? 'Play' : 'Play again'}
        </button>
        <fieldset className="choice">
          <legend className="visually-hidden">Race lull against</legend>
          {rivals.map((rival) => (
            <label key={rival}>
              <input
                type="radio"
                name="rival"
                checked={rival === state.rival}
                onChange={() => choose(rival)}
              />
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
      <ul className="legend race-legend" aria-hidden="true">
        {marks.map(([name, words]) => (
          <li key={name} className={`marked ${name}`}>
            {words}
          </li>
        ))}
      </ul>
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
  if (status === 'stopped') return 'Stopped. Play again, or try it yourself below.'
  if (status === 'ready') return 'Press Play: someone types six cities, in 10 s.'
  if (status === 'running') return 'Someone types six cities, in 10 s.'
  const [other, lull] = lanes.map(countsOf)
  return `${runnerNames[rival]}: ${other!.requests} requests, ${other!.refused} refused. lull: ${lull!.requests} requests, ${lull!.refused} refused. Now try it yourself below.`
}
