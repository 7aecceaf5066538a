import type { ReactNode } from 'react'
import { PauseBar } from '../status/pause-bar.tsx'
import { countsOf, type LaneCounts, type LaneState } from './race-lane.ts'
import { runnerNames } from './runners.ts'

const counterNames: Record<keyof LaneCounts, string> = {
  requests: 'requests',
  refused: 'refused',
  intoPause: 'refused in a pause',
  answered: 'succeeded',
  cancelled: 'cancelled',
}

export function LaneView({ lane, startedAt }: { lane: LaneState; startedAt: number }): ReactNode {
  const { runner, text, shown, pauses } = lane
  const counts = countsOf(lane)
  const pause = pauses.at(-1)
  return (
    <section className="lane" aria-label={`Lane of ${runnerNames[runner]}`} data-runner={runner}>
      <h3>{runnerNames[runner]}</h3>
      <p className="lane-box">
        <span>{text || ' '}</span>
        <span className="note">{shown && `Shows “${shown}”`}</span>
      </p>
      <PauseBar
        words="Server said wait"
        from={pause && startedAt + pause.from}
        until={pause && startedAt + pause.to}
        isOver={finishedWords(lane) !== '–'}
      />
      <dl className="lane-counts">
        {Object.entries(counterNames).map(([name, words]) => {
          const value = counts[name as keyof LaneCounts]
          return (
            <div key={name} className={name === 'intoPause' && value > 0 ? 'is-bad' : undefined}>
              <dt>{words}</dt>
              <dd data-count={name}>{value}</dd>
            </div>
          )
        })}
        <div>
          <dt>finished after</dt>
          <dd data-count="finished">{finishedWords(lane)}</dd>
        </div>
      </dl>
      <Track lane={lane} />
    </section>
  )
}

export function finishedWords({ finishedAt, gaveUp }: LaneState): string {
  if (gaveUp) return 'gave up'
  return finishedAt === undefined ? '–' : `${(finishedAt / 1000).toFixed(1)} s`
}

/** The minimum time span of the picture, in ms. */
const SPAN_MS = 10_000

/** Keystrokes above, requests below, and the server's pauses in the background. */
function Track({ lane: { keystrokes, requests, pauses } }: { lane: LaneState }): ReactNode {
  const last = Math.max(keystrokes.at(-1) ?? 0, requests.at(-1)?.at ?? 0, pauses.at(-1)?.to ?? 0)
  const span = Math.max(SPAN_MS, last + 500)
  const x = (at: number) => `${(100 * at) / span}%`
  return (
    <svg className="track-picture" aria-hidden="true">
      {pauses.map(({ from, to }, index) => (
        <rect key={index} className="track-pause" x={x(from)} width={x(to - from)} y="0" height="46" />
      ))}
      <line className="track-line" x1="0" x2="100%" y1="45.5" y2="45.5" />
      {keystrokes.map((at, index) => (
        <rect key={index} className="track-key" x={x(at)} width="2" y="3" height="10" />
      ))}
      {requests.map(({ at, outcome }, index) => (
        <svg key={index} x={x(at)} y="18" overflow="visible">
          {outcome === 'refused' ? (
            <path className="track-refused" d="M-5 4 L5 20 M5 4 L-5 20" />
          ) : (
            <rect className={`track-${outcome}`} x="-3" width="6" height="24" rx="2" />
          )}
        </svg>
      ))}
    </svg>
  )
}
