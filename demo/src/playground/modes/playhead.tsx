import { useId, type ReactNode } from 'react'
import { number } from '../../number.ts'
import type { Group } from '../../settings/schema.ts'
import { TickBox } from '../../controls/tick-box.tsx'
import type { ModeRecording, ModeTally } from './mode-recording.ts'

interface PlayheadProps {
  recording: ModeRecording
  tally: ModeTally
  span: Group<'modes'>['span']
  onSpan: (span: Group<'modes'>['span']) => void
}

/** The step of the playhead, in ms. */
const STEP_MS = 10

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

/** The position in the recording. */
export function Playhead({
  recording,
  tally: { at, end, events, isFull },
  span,
  onSpan,
}: PlayheadProps): ReactNode {
  const id = useId()
  const isEmpty = end === 0
  return (
    <div className="slider playhead">
      <label htmlFor={id}>Playhead</label>
      <output htmlFor={id} aria-live="off">
        {seconds(at)} of {seconds(end)}
      </output>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.max(Math.ceil(end), STEP_MS)}
        step={STEP_MS}
        value={at}
        disabled={isEmpty}
        aria-valuetext={`${seconds(at)}, ${number.format(events)} events`}
        onChange={({ target: { valueAsNumber: to } }) => recording.seek(to + STEP_MS > end ? end : to)}
      />
      <div className="playhead-buttons">
        <button type="button" className="button" disabled={isEmpty} onClick={recording.replay}>
          Replay
        </button>
        <button type="button" className="button" disabled={isEmpty} onClick={recording.clear}>
          Clear
        </button>
        <TickBox
          label="show all of it"
          checked={span === 'whole'}
          onChange={(isWhole) => onSpan(isWhole ? 'whole' : 'near')}
        />
        {isFull && <span className="note">The recording is full: clear it to go on.</span>}
      </div>
    </div>
  )
}
